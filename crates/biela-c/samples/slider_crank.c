/* A slider-crank checked, run with another crank, and held live. Build: cc slider_crank.c -lbiela_c -lm */
#include "biela.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const model_text =
    "[parameters]\n"
    "r = 0.1\n"
    "[bodies]\n"
    "crank  = { points = { B = [\"r\", 0, 0] } }\n"
    "piston = { pose = { at = [0.4, 0, 0] } }\n"
    "[joints]\n"
    "O     = { type = \"revolute\",  bodies = [\"ground\", \"crank\"],  at = [0, 0, 0], axis = \"z\" }\n"
    "guide = { type = \"prismatic\", bodies = [\"ground\", \"piston\"], at = [0, 0, 0], axis = \"x\" }\n"
    "rod   = { type = \"distance\",  bodies = [\"crank\", \"piston\"],  at = [\"B\", [0, 0, 0]], length = 0.3 }\n"
    "[drivers]\n"
    "motor = { joint = \"O\", value = \"2*pi*t\" }\n";

static void must(int32_t status) {
    if (status != 0) {
        fprintf(stderr, "%s\n", biela_error_text());
        exit(1);
    }
}

int main(void) {
    biela_model *model = NULL;
    biela_results *results = NULL;
    biela_state *state = NULL;
    double x[101], now[2];

    printf("biela %s\n", biela_version());
    must(biela_read(model_text, &model));
    must(biela_bind(model, "r", 0.12));

    must(biela_run(model, "piston.x", &results));
    must(biela_run_copy(results, 1, x, 101));
    printf("column %s [%s], %d rows\n", biela_run_name(results, 1), biela_run_unit(results, 1), (int)biela_run_rows(results));
    /* Half a turn on, crank and rod lie folded: 0.3 - r. */
    printf("half a turn on: %.6f\n", x[50]);
    if (fabs(x[50] - 0.18) > 1e-12) return 1;

    must(biela_live(model, "piston.x, piston.vx", &state));
    must(biela_set(state, "motor", acos(-1.0) / 2));
    must(biela_set(state, "motor.rate", 2.0));
    must(biela_values(state, now, 2));
    /* The crank stands upright: the piston moves as fast as its end does. */
    printf("upright: x = %.6f, vx = %.6f\n", now[0], now[1]);
    if (fabs(now[0] - sqrt(0.3 * 0.3 - 0.12 * 0.12)) > 1e-12 || fabs(now[1] + 0.24) > 1e-12) return 1;

    /* A fault is told: what, where, and what to do. */
    if (biela_bind(model, "rr", 1.0) == 0) return 1;
    printf("told: %s; %s\n", biela_error_message(), biela_error_advice());

    biela_live_free(state);
    biela_run_free(results);
    biela_free(model);
    return 0;
}

// A pendulum in steps, its state kept and put back. Build: c++ pendulum.cpp -lbiela_c
#include "biela.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

static void must(int32_t status) {
    if (status != 0) throw std::runtime_error(biela_error_text());
}

struct Free {
    void operator()(biela_model *model) const { biela_free(model); }
    void operator()(biela_state *state) const { biela_live_free(state); }
};

int main() try {
    const char *text =
        "gravity = [0, -9.81, 0]\n"
        "bodies.bob  = { mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.01, 0.01] }\n"
        "joints.pin  = { type = \"revolute\", bodies = [\"ground\", \"bob\"], at = [0, 0, 0], axis = \"z\", zero = \"axes\" }\n"
        "forces.hand = { type = \"joint-torque\", joint = \"pin\", value = 0 }\n"
        "run = { analysis = \"dynamics\", end = 2, tolerance = 1e-10 }\n";
    biela_model *made = nullptr;
    must(biela_read(text, &made));
    std::unique_ptr<biela_model, Free> model(made);
    biela_state *begun = nullptr;
    must(biela_live(model.get(), "pin.angle, pin.angle.rate, pin.angle.accel", &begun));
    std::unique_ptr<biela_state, Free> state(begun);

    double angle[3];
    for (int k = 1; k <= 50; k++) must(biela_advance(state.get(), 0.01 * k));
    size_t size = 0;
    must(biela_save(state.get(), nullptr, &size));
    std::vector<uint8_t> kept(size);
    must(biela_save(state.get(), kept.data(), &size));

    double first[3], second[3];
    must(biela_advance(state.get(), 1.0));
    must(biela_values(state.get(), first, 3));
    must(biela_restore(state.get(), kept.data(), kept.size()));
    must(biela_advance(state.get(), 1.0));
    must(biela_values(state.get(), second, 3));
    std::printf("at %.3f s: %.9f rad\n", biela_time(state.get()), second[0]);
    if (first[0] != second[0] || first[1] != second[1]) return 1;

    // m g l cos(angle) against the inertia about the pin.
    must(biela_values(state.get(), angle, 3));
    const double wanted = -9.81 * 0.5 * std::cos(angle[0]) / (0.01 + 0.25);
    if (std::fabs(angle[2] - wanted) > 1e-9) return 1;
    // With a torque in the hand it stands as it should.
    must(biela_set(state.get(), "hand.value", 9.81 * 0.5 * std::cos(angle[0])));
    must(biela_values(state.get(), angle, 3));
    std::printf("held: %.3g rad/s^2\n", std::fabs(angle[2]) < 1e-9 ? 0.0 : angle[2]);
    return std::fabs(angle[2]) < 1e-9 ? 0 : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

/* biela for C and all that calls C: models checked, run, bound to parameters, and held live.
 *
 * Every function that may fail returns 0 where it has done its work and 1 where it has not; what went wrong then is told by biela_error_message,
 * _place, _advice and _text, for this thread, until its next failure. Nothing is ever thrown, and no fault of a model ends the program.
 *
 * All numbers are SI. Texts are UTF-8 and end with a zero; those that are returned as const char * belong to the handle they came from (errors: to the
 * thread) and live as long as it does not change. A list of signals is names or patterns between commas, as biela run --signals takes them; NULL
 * is all columns of a run.
 *
 * Threads: different handles may be used at the same time; one handle by one thread at a time. A model is only read by biela_run, biela_live and
 * biela_check, and states and runs live on when their model is freed.
 */
#ifndef BIELA_H
#define BIELA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model: its text, and values of its parameters. */
typedef struct biela_model biela_model;
/* Columns of a run. */
typedef struct biela_results biela_results;
/* A mechanism held live: inputs are set, steps made, outputs read. */
typedef struct biela_state biela_state;

/* The version, such as "0.1.0". */
const char *biela_version(void);

/* What went wrong last on this thread: the message; where in the text (empty where nowhere); advice, a line each; all of it as the program prints it. */
const char *biela_error_message(void);
const char *biela_error_place(void);
const char *biela_error_advice(void);
const char *biela_error_text(void);

/* Opens a model file of any format that the program reads, or reads a text in TOML, and checks that it can be compiled. */
int32_t biela_open(const char *path, biela_model **model);
int32_t biela_read(const char *text, biela_model **model);
void biela_free(biela_model *model);

/* The report of biela check --json. Free the text by biela_text_free. */
int32_t biela_check(biela_model *model, char **json);
void biela_text_free(char *text);

/* Parameters. Binding one gives others that depend on it their new values; a value that the model does not take changes nothing. */
size_t biela_parameter_count(biela_model *model);
const char *biela_parameter_name(biela_model *model, size_t k);
double biela_parameter_value(biela_model *model, size_t k);
int32_t biela_bind(biela_model *model, const char *name, double value);

/* Runs a model as its [run] says. A run that ended early has its samples up to there, and biela_run_ended says why (empty where it did not). */
int32_t biela_run(biela_model *model, const char *signals, biela_results **results);
void biela_run_free(biela_results *results);
size_t biela_run_columns(biela_results *results);
size_t biela_run_rows(biela_results *results);
const char *biela_run_name(biela_results *results, size_t k);
const char *biela_run_unit(biela_results *results, size_t k);
const char *biela_run_ended(biela_results *results);
/* Copies column k into an array with room for count numbers, at least as many as there are rows. */
int32_t biela_run_copy(biela_results *results, size_t k, double *to, size_t count);

/* Holds a model live at the start of its run. The model's analysis says what it is: kinematics, inverse-dynamics or dynamics. */
int32_t biela_live(biela_model *model, const char *signals, biela_state **state);
void biela_live_free(biela_state *state);

/* Inputs: a driver is <driver>, <driver>.rate and <driver>.accel, a load is <force>.value (with .x, .y, .z where it is a vector). What nobody sets is
 * as the model has it; a driver of which anything is set follows value + rate (t - t0) + accel (t - t0)^2/2 from the time t0 at which it stands. */
size_t biela_input_count(biela_state *state);
const char *biela_input_name(biela_state *state, size_t k);
int32_t biela_set(biela_state *state, const char *name, double value);

/* Outputs, in the order of the signals asked for: positions, velocities, accelerations, efforts, at the present time and inputs. */
size_t biela_output_count(biela_state *state);
const char *biela_output_name(biela_state *state, size_t k);
int32_t biela_values(biela_state *state, double *to, size_t count);

/* Time goes on to t; where an event ends the motion before, biela_stopped is 1 and biela_time tells when. biela_begin goes back to the start, at time t. */
double biela_time(biela_state *state);
int32_t biela_advance(biela_state *state, double t);
int32_t biela_stopped(biela_state *state);
int32_t biela_begin(biela_state *state, double t);

/* The state as bytes, and back. With to = NULL only the size is told, in *count; else *count is the room there is, and becomes the size. */
int32_t biela_save(biela_state *state, uint8_t *to, size_t *count);
int32_t biela_restore(biela_state *state, const uint8_t *from, size_t count);

#ifdef __cplusplus
}
#endif

#endif

// A line that says how far the work is, how fast it goes and how long it will take: on standard
// error, if that is a terminal, and only once the work has taken a second. A timer prints it, so
// that nobody who works has to look at a clock.
//
//     forearm: forward dynamics [####------]  41%, 52300 lines/s, 0:07 left
#ifndef FA_PROGRESS_H
#define FA_PROGRESS_H

// Begins a progress line, such as "simulating"; `what` must live until fa_progress_end.
void fa_progress_begin(const char *what);
// Sets the unit of the rate, such as "lines" in "52300 lines/s". Without it the line has no rate.
void fa_progress_unit(const char *unit);

// Updates the progress. Before the first call the line ends in "..."; with an unknown total, 0 or
// NAN, it shows the rate only.
void fa_progress_at(double done, double total);

void fa_progress_end(void);

// Hides the line while something else is printed; fa_progress_show restores it.
void fa_progress_hide(void);
void fa_progress_show(void);

#endif

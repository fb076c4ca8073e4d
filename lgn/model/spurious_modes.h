#pragma once

#include "lgn/model/model.h"

namespace lgn {

/// Says of modes of hidden states why they may be none of the system (Mode::spurious), if they are determined at all: a
/// harmonic or combination tone of stronger ones (combination_tones.h), a time constant below two samples, and, at evenly
/// spaced samples, a frequency within 2% of Nyquist's; in random vibration a width below a line of the spectrum; elsewhere an
/// oscillation that does not decay beside others that do, or two that a system which varies with a period shows beside a third;
/// a rate too slow for the record. Models whose states are the channels are left as they are.
void mark_spurious_modes(Model& model, bool evenly_sampled);

}  // namespace lgn

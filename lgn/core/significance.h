#pragma once

namespace lgn {

/// The probability that a standard normal number exceeds z.
double normal_tail(double z);

/// The probability that a ratio of two independent estimates of one variance, with so many degrees of freedom each, exceeds
/// `ratio` (Fisher's F), by the cube roots that make both nearly normal (Paulson, Ann. Math. Stat. 13:233, 1942): to a few
/// per cent of itself for three degrees of freedom or more below. 1 where a degree is not positive.
double ratio_tail(double ratio, double above, double below);

}  // namespace lgn

#pragma once

#include <string>

#include "lgn/data/inspection.h"
#include "lgn/data/reading.h"

namespace lgn {

/// What was understood of files and seen in their data, for a terminal; `next` is the command to run.
std::string inspection_text(const Inspection& inspection, const Reading& reading,
                            const std::string& time_unit, const std::string& next);

/// The same as JSON, keys in lower_snake_case.
std::string inspection_json(const Inspection& inspection, const Reading& reading,
                            const std::string& time_unit, const std::string& next);

/// What stands out in a channel, such as "3 outliers, offset 2.5"; empty where nothing does.
std::string remarks_on(const ChannelInspection& channel);

}  // namespace lgn

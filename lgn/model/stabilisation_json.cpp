#include "lgn/model/stabilisation_json_internal.h"

namespace lgn {
namespace {

OrderPoles read_order(const JsonReader& in, Index channels) {
  OrderPoles order{in.whole("states"), in.complex_numbers("poles", in.raw("poles"), -1), {}};
  const Json& shapes = in.raw("shapes");
  if (!shapes.is_array() || static_cast<Index>(shapes.size()) != order.poles.size())
    in.fail("shapes", "is not a list of one shape per pole");
  if (!order.poles.allFinite()) in.fail("poles", "has a number missing");
  order.shapes.resize(channels, order.poles.size());
  for (Index k = 0; k < order.poles.size(); ++k)
    order.shapes.col(k) =
        in.complex_numbers("shapes", shapes[static_cast<std::size_t>(k)], channels);
  return order;
}

}  // namespace

Json stabilisation_to_json(const Stabilisation& stabilisation) {
  Json orders = Json::array();
  for (const OrderPoles& order : stabilisation.orders) {
    Json shapes = Json::array();
    for (Index k = 0; k < order.shapes.cols(); ++k)
      shapes.push_back(json_complex(order.shapes.col(k)));
    orders.push_back(
        {{"states", order.states}, {"poles", json_complex(order.poles)}, {"shapes", shapes}});
  }
  return {{"singular_values", json_vector(stabilisation.singular_values)}, {"orders", orders}};
}

Stabilisation stabilisation_from_json(const JsonReader& in, Index channels) {
  Stabilisation stabilisation{in.finite_numbers("singular_values", -1), {}};
  for (const JsonReader& order : in.objects("orders"))
    stabilisation.orders.push_back(read_order(order, channels));
  return stabilisation;
}

}  // namespace lgn

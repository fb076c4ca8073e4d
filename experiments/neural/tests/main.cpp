#include <gtest/gtest.h>

#include "experiments/neural/one_thread.h"

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  lgn::neural::use_one_thread();
  return RUN_ALL_TESTS();
}

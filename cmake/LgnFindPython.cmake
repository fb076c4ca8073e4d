# Python with NumPy, and pybind11 for it. With LGN_BUILD_PYTHON=AUTO it says what is missing and goes on.
#
# The interpreter comes first: pybind11 would pick one of its own, perhaps without NumPy.
set(needed REQUIRED)
if(LGN_BUILD_PYTHON STREQUAL "AUTO")
  set(needed QUIET)
endif()
find_package(Python 3.9 ${needed} COMPONENTS Interpreter Development.Module NumPy)
if(Python_FOUND)
  if(NOT pybind11_DIR)
    execute_process(COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir
                    OUTPUT_VARIABLE pybind11_hint OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_package(pybind11 2.10 ${needed} CONFIG HINTS "${pybind11_hint}")
endif()
if(NOT pybind11_FOUND)
  message(STATUS "The Python package is left out: it needs Python from 3.9 on with its headers, NumPy and pybind11 "
                 "(Debian: python3-dev python3-numpy pybind11-dev)")
endif()

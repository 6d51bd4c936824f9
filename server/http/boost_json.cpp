// Boost.JSON, which is used without a library to link, compiled once.
#include <boost/json/src.hpp>

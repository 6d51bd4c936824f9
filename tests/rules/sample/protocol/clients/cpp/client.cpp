#include "protocol/frame.hpp"
#include "server/session.hpp"
#include <boost/asio.hpp>
#include <chrono>
#include <thread>

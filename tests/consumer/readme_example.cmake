# Fails unless README.md shows example.cpp word for word: the example that people copy is the one that the tests compile and run.
file(READ ${CMAKE_CURRENT_LIST_DIR}/example.cpp example)
file(READ ${ROOT}/README.md readme)
string(FIND "${readme}" "```cpp\n${example}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md: no cpp block is equal to tests/consumer/example.cpp")
endif()

# Installs voxpath's libraries from BUILD into WORK/prefix, then configures, builds and tests the project in SOURCE against them.
file(REMOVE_RECURSE ${WORK})
set(strict COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component libraries OUTPUT_QUIET ${strict})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Debug
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D SANITIZE=${SANITIZE} ${strict})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build ${strict})
execute_process(COMMAND ${CTEST} --test-dir ${WORK}/build --output-on-failure --no-tests=error ${strict})

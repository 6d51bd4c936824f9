// Certificates: an authority and what it signed, made by the openssl command in a test's own folder.
// Thread-safety: one test thread.
// Usage: Certificates pki(folder); pki.make("server", {.alt = "IP:127.0.0.1"}); config.certificate = pki.cert("server");
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace voxpath::test {

class Certificates {
 public:
  struct Of {
    std::string alt = "IP:127.0.0.1,DNS:localhost";  // what it is of
    int days = 30;                                   // negative: it has expired
    std::string signer = "ca";                       // "": by itself
  };

  /// With the authority "ca".
  explicit Certificates(const std::filesystem::path& folder) : folder_(folder) { authority("ca"); }

  void authority(const std::string& name) {
    run("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=" + name + " -keyout " +
        key(name) + " -out " + cert(name));
  }
  void make(const std::string& name) { make(name, Of()); }
  void make(const std::string& name, const Of& of) {
    const std::string request = (folder_ / (name + ".csr")).string(), extra = (folder_ / (name + ".ext")).string();
    run("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=" + name + " -keyout " + key(name) +
        " -out " + request);
    shell("echo subjectAltName=" + of.alt + " > " + extra);
    const std::string signer = of.signer.empty()
                                   ? " -key " + key(name)
                                   : " -CA " + cert(of.signer) + " -CAkey " + key(of.signer) + " -CAcreateserial";
    run("x509 -req -in " + request + signer + " -days " + std::to_string(of.days) + " -extfile " + extra + " -out " +
        cert(name));
  }
  [[nodiscard]] std::string cert(const std::string& name) const { return (folder_ / (name + ".pem")).string(); }
  [[nodiscard]] std::string key(const std::string& name) const { return (folder_ / (name + ".key")).string(); }

 private:
  void run(const std::string& arguments) const { shell("openssl " + arguments); }
  void shell(const std::string& command) const {
    if (std::system((command + " 2>" + (folder_ / "openssl.log").string()).c_str()) != 0)
      throw std::runtime_error("failed: " + command);
  }

  const std::filesystem::path folder_;
};

}  // namespace voxpath::test

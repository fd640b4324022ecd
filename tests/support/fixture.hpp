#pragma once
/// A made-up /sys, /proc and /etc below a temporary folder, from a table of paths and contents.

#include <filesystem>
#include <string>

#include "device/inspect.hpp"
#include "support/temp_folder.hpp"

namespace diskaudit {

class Fixture {
 public:
  /// The text of `path` ("/sys/block/vda/size").
  void file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(place(path).parent_path());
    write_file(place(path), text + "\n");
  }
  /// A link at `path` to `target`, both counted from the fixture's root.
  void link(const std::string& path, const std::string& target) {
    std::filesystem::create_directories(place(path).parent_path());
    if (!std::filesystem::exists(place(target))) std::filesystem::create_directories(place(target));
    std::filesystem::create_symlink(place(target).lexically_relative(place(path).parent_path()),
                                    place(path));
  }
  /// A whole device with its links in /sys/block, /sys/class/block and /sys/dev/block.
  void device(const std::string& name, const std::string& number, const std::string& size = "0") {
    add(name, number, "/sys/devices/" + name);
    link("/sys/block/" + name, "/sys/devices/" + name);
    file("/sys/block/" + name + "/size", size);
  }
  void partition(const std::string& disk, const std::string& name, const std::string& number,
                 const std::string& start) {
    add(name, number, "/sys/devices/" + disk + "/" + name);
    file("/sys/class/block/" + name + "/partition", "1");
    file("/sys/class/block/" + name + "/start", start);
  }
  std::filesystem::path place(const std::string& path) const { return root().at(path); }
  SystemRoot root() const { return {folder_.path()}; }

 private:
  void add(const std::string& name, const std::string& number, const std::string& folder) {
    link("/sys/class/block/" + name, folder);
    link("/sys/dev/block/" + number, folder);
    file(folder + "/dev", number);
  }
  TempFolder folder_;
};

}  // namespace diskaudit

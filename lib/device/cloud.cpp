#include "device/cloud.hpp"

namespace diskaudit {

std::string cloud_vendor(const Environment& environment) {
  const std::string& vendor = environment.machine_vendor;
  const std::string& product = environment.machine_product;
  const std::string& tag = environment.machine_asset_tag;
  // The values are those that cloud-init's ds-identify goes by, and public dumps of guests.
  if (vendor == "Tencent Cloud" || vendor == "Smdbmds") return "tencent";
  if (product == "Alibaba Cloud ECS" || vendor == "Alibaba Cloud") return "alibaba";
  if (tag == "HUAWEICLOUD" || tag == "OpenTelekomCloud" || vendor == "Huawei Cloud")
    return "huawei";
  if (vendor == "Amazon EC2") return "aws";
  if (tag == "7783-7084-3265-9085-8269-3286-77") return "azure";
  if (product == "Google Compute Engine") return "gcp";
  return {};
}

std::string volume_id(const BlockDevice& device) {
  const std::string& serial = device.serial;
  if (serial.starts_with("disk-")) return serial;
  if (device.model == "Amazon Elastic Block Store") {
    // NVMe serials have no room for the dash.
    if (serial.starts_with("vol") && !serial.starts_with("vol-")) return "vol-" + serial.substr(3);
    return serial;
  }
  if (device.model == "Alibaba Cloud Elastic Block Storage" && !serial.starts_with("d-"))
    return "d-" + serial;
  constexpr std::string_view google = "google-";
  if (device.by_id.starts_with(google)) return device.by_id.substr(google.size());
  return {};
}

bool is_local_instance_disk(const BlockDevice& device) {
  const std::string& model = device.model;
  if (model.find("NVMe Instance Storage") != std::string::npos) return true;
  if (model.starts_with("Microsoft NVMe Direct Disk")) return true;
  return model.starts_with("nvme_card") && model != "nvme_card-pd";
}

}  // namespace diskaudit

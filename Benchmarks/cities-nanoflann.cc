// Measures nanoflann with the queries of cities.py; cities.sh runs it.
//
//     cities-nanoflann <directory>
//
// The directory holds `vectors` (three 64-bit numbers for each city) and the queries. Prints a name
// and a number per line, and writes the positions of the cities that it found to
// `sphere.nanoflann` and so on.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <nanoflann.hpp>
#include <string>
#include <vector>

template <typename T> static std::vector<T> read(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> numbers(static_cast<size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(numbers.data()), numbers.size() * sizeof(T));
  return numbers;
}

struct Cities {
  std::vector<double> vectors;

  size_t kdtree_get_point_count() const { return vectors.size() / 3; }
  double kdtree_get_pt(size_t city, size_t axis) const { return vectors[3 * city + axis]; }
  template <typename Box> bool kdtree_get_bbox(Box &) const { return false; }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<
  nanoflann::L2_Simple_Adaptor<double, Cities>, Cities, 3, uint32_t>;

template <typename Action> static double nanoseconds(int rounds, Action action) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; round++) {
    auto start = std::chrono::steady_clock::now();
    action();
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

int main(int, char **arguments) {
  const std::string directory = std::string(arguments[1]) + "/";
  const Cities cities{read<double>(directory + "vectors")};
  std::unique_ptr<Tree> tree;
  std::printf("open %f\n", nanoseconds(3, [&] {
    tree = std::make_unique<Tree>(3, cities, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    tree->buildIndex();
  }));
  for (const std::string name : {"sphere", "near", "walk"}) {
    const auto positions = read<double>(directory + name);
    const size_t count = positions.size() / 2;
    std::vector<uint32_t> found(count);
    const double time = nanoseconds(7, [&] {
      const double degree = std::acos(-1.0) / 180;
      for (size_t i = 0; i < count; i++) {
        const double latitude = positions[2 * i] * degree, longitude = positions[2 * i + 1] * degree;
        const double query[3] = {
          std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
        double square;
        tree->knnSearch(query, 1, &found[i], &square);
      }
    });
    std::printf("%s %f\n", name.c_str(), time / count);
    std::ofstream(directory + name + ".nanoflann", std::ios::binary)
      .write(reinterpret_cast<const char *>(found.data()), count * sizeof(uint32_t));
  }
}

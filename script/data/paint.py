"""Paints the sample photos: each motif in two lights, large and small.

usage: script/data/paint.py [--check] [--only NAME] <folder>

Every painting is built from back to front as on canvas: sky, clouds, distance, water, trees, foreground,
each of thousands of brush strokes. All random numbers come from seeds.
"""

import argparse
import functools
import io
import math
import multiprocessing
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

LONG, SHORT = 1280, 960
# The limits for a large and a small file.
LARGE_BYTES, SMALL_BYTES = 40_000, 3_500
ANGLES = 32
VARIANTS = 5


class Light:
    """A time of day: the colors of the sky and of what it shines on."""

    def __init__(self, zenith, horizon, haze, ambient, sun, glow, cloud, shade, side=-1, low=False):
        colors = (zenith, horizon, haze, ambient, sun, glow, cloud, shade)
        colors = [np.array(color, np.float32) for color in colors]
        (self.zenith, self.horizon, self.haze, self.ambient, self.sun, self.glow, self.cloud, self.shade) = colors
        # The side from which light comes, and whether the sun is near the horizon.
        self.side = side
        self.low = low

    def lit(self, color, amount):
        """A color in light, from 0 in full shadow to 1 in full sun."""
        amount = np.asarray(amount, np.float32)[..., None]
        return np.asarray(color, np.float32) * (self.ambient + self.sun * amount)

    def far(self, color, distance):
        return mix(color, self.haze, distance)


DAY = Light((0.33, 0.53, 0.73), (0.84, 0.90, 0.91), (0.74, 0.82, 0.86), (0.42, 0.50, 0.57), (0.74, 0.66, 0.48),
            (1, 0.97, 0.86), (1, 0.98, 0.94), (0.66, 0.72, 0.80))
MORNING = Light((0.44, 0.60, 0.74), (0.98, 0.89, 0.72), (0.86, 0.85, 0.78), (0.48, 0.50, 0.56), (0.78, 0.62, 0.36),
                (1, 0.93, 0.72), (1, 0.94, 0.83), (0.72, 0.70, 0.74),
                low=True)
EVENING = Light((0.27, 0.33, 0.55), (0.99, 0.72, 0.45), (0.76, 0.57, 0.54), (0.38, 0.36, 0.48), (0.92, 0.62, 0.34),
                (1, 0.84, 0.52), (0.99, 0.70, 0.48), (0.50, 0.40, 0.54),
                side=1,
                low=True)
DUSK = Light((0.15, 0.17, 0.40), (0.93, 0.52, 0.45), (0.47, 0.37, 0.52), (0.26, 0.26, 0.42), (0.52, 0.32, 0.26),
             (1, 0.74, 0.50), (0.86, 0.50, 0.50), (0.33, 0.27, 0.48),
             side=1,
             low=True)
NIGHT = Light((0.035, 0.055, 0.16), (0.20, 0.25, 0.44), (0.13, 0.17, 0.33), (0.20, 0.25, 0.43), (0.14, 0.16, 0.22),
              (0.93, 0.92, 0.80), (0.30, 0.33, 0.50), (0.10, 0.13, 0.28),
              side=1)

LIGHTS = {"day": DAY, "morning": MORNING, "evening": EVENING, "dusk": DUSK, "night": NIGHT}


def mix(first, second, amount):
    first, second = np.asarray(first, np.float32), np.asarray(second, np.float32)
    amount = np.asarray(amount, np.float32)
    return first + (second - first) * (amount[..., None] if amount.ndim else amount)


def smooth(low, high, value):
    value = np.clip((value - low) / (high - low), 0, 1)
    return value * value * (3 - 2 * value)


def blurred(array, radius):
    """A Gaussian blur of numbers or colors in 0 ... 1, or more for numbers."""

    def one(channel):
        image = Image.fromarray(np.ascontiguousarray(channel, np.float32), "F")
        scale = max(1, int(radius / 3))
        small = image.resize((max(2, image.width // scale), max(2, image.height // scale)), Image.BOX)
        numbers = np.asarray(small)
        weights = np.exp(-0.5 * (np.arange(-8, 9) / max(0.4, radius / scale))**2)
        weights /= weights.sum()
        padded = np.pad(numbers, 8, mode="edge")
        rows = sum(w * padded[:, i:i + numbers.shape[1]] for i, w in enumerate(weights))
        both = sum(w * rows[i:i + numbers.shape[0]] for i, w in enumerate(weights))
        return np.asarray(Image.fromarray(both.astype(np.float32), "F").resize(image.size, Image.BICUBIC))

    if array.ndim == 2:
        return one(array)
    return np.stack([one(array[..., i]) for i in range(array.shape[2])], -1)


@functools.lru_cache(None)
def brush(length, width, angle, variant):
    """The coverage and relief of one brush stroke: bristles side by side, with ragged ends."""
    random = np.random.RandomState(length * 131 + width * 17 + angle * 7 + variant)
    reach = int(math.hypot(length, width) / 2) + 3
    y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1].astype(np.float32)
    turn = angle * math.pi / ANGLES
    along = x * math.cos(turn) + y * math.sin(turn)
    across = y * math.cos(turn) - x * math.sin(turn)
    across = across + (random.rand() - 0.5) * 0.5 * width * (2 * along / length)**2
    lanes = max(4, int(width * 0.7))
    places = np.linspace(-width / 2, width / 2, lanes)
    bristles = np.interp(across, places, random.rand(lanes))
    starts = np.interp(across, places, random.rand(lanes))
    ends = np.interp(across, places, random.rand(lanes))
    soft = max(1.2, length * 0.10)
    body = np.clip((length / 2 - along - ends * length * 0.2) / soft, 0, 1)
    body *= np.clip((length / 2 + along - starts * length * 0.2) / soft, 0, 1)
    body *= np.clip(
        (width / 2 - np.abs(across)) / max(1.1, width * 0.22) + 0.3, 0, 1) * (np.abs(across) < width / 2 + 0.6)
    fade = 1 - 0.35 * np.clip(along / length + 0.5, 0, 1)
    cover = body * (0.62 + 0.38 * bristles) * fade
    return cover.astype(np.float32), (cover * bristles).astype(np.float32)


def bucket(sizes):
    """Sizes rounded to few steps, so that strokes share brushes."""
    return np.maximum(2, np.rint(1.19**np.rint(np.log(np.maximum(sizes, 1.5)) / math.log(1.19)))).astype(int)


class Painting:

    def __init__(self, size, seed, light):
        self.width, self.height = size
        self.random = np.random.RandomState(seed)
        self.light = light
        self.rgb = np.zeros((self.height, self.width, 3), np.float32) + light.horizon
        self.relief = np.zeros((self.height, self.width), np.float32)
        self.y, self.x = np.mgrid[0:self.height, 0:self.width].astype(np.float32)

    # Random fields.

    def noise(self, wide, tall=None, octaves=4, seed=None):
        """A cloudy field of numbers around 0.5, whose largest features have the given size in pixels."""
        random = self.random if seed is None else np.random.RandomState(seed)
        tall = tall or wide
        field = np.zeros((self.height, self.width), np.float32)
        weight, total = 1.0, 0.0
        for _ in range(octaves):
            columns, rows = int(self.width / wide) + 4, int(self.height / tall) + 4
            grid = Image.fromarray(random.random_sample((rows, columns)).astype(np.float32), "F")
            field += weight * np.asarray(
                grid.transform((self.width, self.height), Image.AFFINE,
                               (1 / wide, 0, 1.5, 0, 1 / tall, 1.5), Image.BICUBIC))
            total += weight
            weight *= 0.5
            wide, tall = max(2, wide / 2), max(2, tall / 2)
        return field / total

    def profile(self, level, swing, size, octaves=5):
        """The height of a ridge for every column."""
        line = np.zeros(self.width)
        weight = 1.0
        for _ in range(octaves):
            knots = self.random.random_sample(int(self.width / size) + 4) - 0.5
            places = np.arange(self.width) / size
            left = places.astype(int)
            part = places - left
            part = part * part * (3 - 2 * part)
            line += weight * (knots[left] * (1 - part) + knots[left + 1] * part)
            weight *= 0.5
            size = max(3, size / 2)
        return level - swing * line

    # Strokes.

    def strokes(self, x, y, length, width, angle, color, alpha=0.9, clip=None):
        """Strokes in the given order; every argument is one value or one for each."""
        x, y = np.asarray(x, np.float32), np.asarray(y, np.float32)
        count = len(x)
        if count == 0:
            return
        length = bucket(np.broadcast_to(length, count).astype(np.float32))
        width = bucket(np.broadcast_to(width, count).astype(np.float32))
        angle = np.rint(np.broadcast_to(angle, count) * ANGLES / math.pi).astype(int) % ANGLES
        color = np.broadcast_to(np.asarray(color, np.float32), (count, 3))
        alpha = np.broadcast_to(alpha, count)
        variant = self.random.randint(0, VARIANTS, count)
        x, y = np.rint(x).astype(int), np.rint(y).astype(int)
        rgb, relief, tall, wide = self.rgb, self.relief, self.height, self.width
        for i in range(count):
            cover, height = brush(int(length[i]), int(width[i]), int(angle[i]), int(variant[i]))
            reach = cover.shape[0] // 2
            top, left = y[i] - reach, x[i] - reach
            t, l = max(0, top), max(0, left)
            b, r = min(tall, y[i] + reach + 1), min(wide, x[i] + reach + 1)
            if t >= b or l >= r:
                continue
            cover = cover[t - top:b - top, l - left:r - left] * alpha[i]
            height = height[t - top:b - top, l - left:r - left]
            if clip is not None:
                cover = cover * clip[t:b, l:r]
            area = rgb[t:b, l:r]
            area += cover[..., None] * (color[i] - area)
            area = relief[t:b, l:r]
            area += cover * (height - area)

    def jitter(self, colors, value=0.035, hue=0.02):
        colors = np.asarray(colors, np.float32)
        count = len(colors)
        return np.clip(
            colors * (1 + value * self.random.standard_normal((count, 1))) + hue * self.random.standard_normal(
                (count, 3)) * (0.25 + colors), 0, 1.1)

    def render(self,
               reference,
               mask,
               length,
               width,
               angle=0.0,
               spread=0.25,
               value=0.03,
               hue=0.015,
               alpha=0.85,
               density=1.0,
               clip=None,
               under=0.0):
        """Paints a picture with strokes where the mask is set; `angle` is a number or a field."""
        if under:
            self.rgb = mix(self.rgb, reference, under if mask is None else mask * under)
        across, along = width * 0.75 / density, max(width * 0.75, length * 0.42) / density
        columns, rows = int(self.width / along) + 2, int(self.height / across) + 2
        x = (np.arange(columns)[None, :] + self.random.random_sample((rows, columns)) - 0.5) * along
        y = (np.arange(rows)[:, None] + self.random.random_sample((rows, columns)) - 0.5) * across
        x, y = x.ravel(), y.ravel()
        order = self.random.permutation(len(x))
        x, y = x[order], y[order]
        column = np.clip(x, 0, self.width - 1).astype(int)
        row = np.clip(y, 0, self.height - 1).astype(int)
        if mask is not None:
            kept = mask[row, column] > 0.5
            x, y, row, column = x[kept], y[kept], row[kept], column[kept]
        colors = self.jitter(reference[row, column], value, hue)
        turn = angle[row, column] if isinstance(angle, np.ndarray) else angle
        turn = turn + spread * self.random.standard_normal(len(x))
        size = 0.8 + 0.4 * self.random.random_sample(len(x))
        self.strokes(x, y, length * size, width * size, turn, colors, alpha, clip)

    # Parts of landscapes.

    def sky(self, bottom, wisps=0.5, sun=None, warmth=1.0):
        """A sky down to a row, with wisps of cloud and the glow of a sun at (x, y)."""
        light = self.light
        height = np.clip(self.y / bottom, 0, 1)
        picture = mix(light.zenith, light.horizon, smooth(0.0, 1.0, height)**0.9)
        drift = self.noise(520, 90) + 0.35 * (self.noise(150, 40) - 0.5)
        amount = smooth(0.48, 0.74, drift) * wisps
        tone = mix(light.shade, light.cloud, smooth(0.42, 0.66, self.noise(300, 70) + 0.25 * (height - 0.4)))
        picture = mix(picture, tone, amount)
        if sun:
            away = np.hypot(self.x - sun[0], (self.y - sun[1]) * 1.25)
            picture = mix(picture, light.glow, np.exp(-((away / 330)**1.3)) * 0.75 * warmth)
            picture = mix(picture, mix(light.glow, (1, 1, 1), 0.5), np.exp(-((away / 70)**2)) * 0.8 * warmth)
        bend = (self.noise(420) - 0.5) * 1.6
        area = (self.y < bottom + 30).astype(np.float32)
        self.render(picture, area, 90, 34, bend, 0.15, 0.02, 0.012, under=1.0)
        self.render(picture, area, 54, 19, bend, 0.2, 0.022, 0.014)
        self.render(picture, area, 34, 11, bend, 0.25, 0.02, 0.012, alpha=0.6, density=0.8)
        if sun:
            away = np.hypot(self.x - sun[0], self.y - sun[1])
            self.rgb = mix(self.rgb, mix(light.glow, (1, 1, 0.96), 0.6), smooth(27, 23, away))
        return picture

    def cumulus(self, x, y, size, puffs=9):
        """A heap of cloud whose base is at y: puffs from back to front, bright toward the light."""
        light = self.light
        heaps = []
        for _ in range(puffs * 3):
            dx = np.clip(self.random.standard_normal() * 0.36, -0.85, 0.85)
            peak = max(0.04, 0.55 * (1 - abs(dx))**1.1)
            rise = peak * self.random.random_sample()**1.2
            heaps.append((rise, x + dx * size, y - rise * size,
                          size * (0.085 + 0.13 * self.random.random_sample()) * (1.15 - 0.6 * abs(dx))))
        for rise, px, py, radius in sorted(heaps, reverse=True):
            count = int(60 + radius * 0.9)
            turn = self.random.random_sample(count) * 2 * math.pi
            out = np.sqrt(self.random.random_sample(count))
            u, v = np.cos(turn) * out, np.sin(turn) * out
            cx, cy = px + u * radius * 1.2, py + v * radius * 0.85
            bright = 0.56 - 0.40 * v + 0.25 * u * light.side + 0.1 * self.random.standard_normal(count)
            bright = np.clip(bright * (0.62 + 0.9 * np.clip((y - cy) / size, 0, 0.5)), 0, 1)
            order = np.argsort(bright + 0.3 * self.random.random_sample(count))
            order = order[cy[order] < y + size * 0.03]
            color = self.jitter(mix(light.shade, light.cloud, bright)[order], 0.02, 0.01)
            self.strokes(cx[order], cy[order], radius * (0.5 + 0.35 * self.random.random_sample(len(order))),
                         radius * 0.26, turn[order] + math.pi / 2 + 0.35 * self.random.standard_normal(len(order)),
                         color, 0.5)
        count = int(size / 3)
        cx = x + np.clip(self.random.standard_normal(count), -2, 2) * size * 0.42
        self.strokes(cx, y - 4 + 12 * self.random.random_sample(count), size * 0.22, size * 0.045, 0,
                     self.jitter(np.tile(mix(light.shade, light.horizon, 0.45), (count, 1)), 0.02, 0.01), 0.3)

    def ridge(self, level, swing, size, color, distance, rough=0, bottom=None, tree=0, fade=0.45):
        """A ridge of hills or woods from its profile down, hazier toward its foot."""
        line = self.profile(level, swing, size)
        if rough:
            line = line - rough * np.abs(self.profile(0, 1, rough * 2.2, 3))
        bottom = bottom or self.height
        depth = self.y - line[None, :]
        area = ((depth > 0) & (self.y < bottom)).astype(np.float32)
        light = self.light
        base = self.light.lit(color, 0.35 + 0.9 * (self.noise(size * 0.5, size * 0.3) - 0.3))
        span = max(30.0, bottom - float(line.min()))
        picture = light.far(base, np.clip(distance + fade * smooth(0, span, depth), 0, 1))
        if not tree:
            self.render(picture, area, 46, 16, 0.15, 0.3, 0.025, 0.012, under=0.95)
            self.render(picture, area, 26, 8, 0.1, 0.4, 0.03, 0.014, alpha=0.7)
        else:
            self.render(picture, area, tree * 2.6, tree * 1.3, 1.4, 0.5, 0.04, 0.02, under=0.95)
            # The edge is leafy, and its crowns catch light.
            count = int(self.width / tree * 9)
            x = self.random.random_sample(count) * self.width
            fall = self.random.random_sample(count)**2.2
            y = line[np.clip(x, 0, self.width - 1).astype(int)] + fall * rough * 2 - tree * 0.2
            shine = np.clip(0.95 - 1.1 * fall + 0.25 * self.random.standard_normal(count), 0, 1.1)
            order = np.argsort(-fall + 0.5 * self.random.random_sample(count))[::-1]
            hidden = np.clip(distance + fade * smooth(0, span, fall * rough * 2), 0, 1)
            tone = light.far(light.lit(color, np.maximum(shine, 0.2)), hidden)
            self.strokes(x[order], y[order], tree * 1.2, tree * 0.8,
                         self.random.random_sample(count) * math.pi, self.jitter(tone[order], 0.05, 0.025), 0.8)
        return line, area

    def crown(self, x, y, wide, tall, color, leaf=8, blobs=14, distance=0.0, density=1.0, gaps=0.12, hue=0.035):
        """The crown of a tree around (x, y): clumps of leaves, lit from above and one side."""
        light = self.light
        clumps = []
        for _ in range(blobs):
            turn, out = (self.random.random_sample() * 2 * math.pi, math.sqrt(self.random.random_sample()) * 0.86)
            u, v = math.cos(turn) * out, math.sin(turn) * out
            radius = (0.2 + 0.2 * self.random.random_sample()) * (1.12 - 0.42 * out)
            clumps.append((v + 0.25 * self.random.standard_normal(), u, v, radius))
        clumps.append((-2, -0.12, 0.1, 0.52))
        clumps.append((-2, 0.16, -0.1, 0.5))
        for _, u, v, radius in sorted(clumps):
            px, py = x + u * wide, y + v * tall
            rx, ry = radius * wide, radius * tall
            count = int(density * 9 * rx * ry / (leaf * leaf)) + 8
            turn = self.random.random_sample(count) * 2 * math.pi
            out = self.random.random_sample(count)**0.45 * (1 + gaps * self.random.standard_normal(count))
            du, dv = np.cos(turn) * out, np.sin(turn) * out
            lx, ly = px + du * rx, py + dv * ry
            facing = -0.62 * dv + 0.5 * du * light.side
            whole = -0.45 * (ly - y) / tall + 0.4 * light.side * (lx - x) / wide
            shine = np.clip(0.40 + 0.42 * facing + 0.38 * whole + 0.16 * self.random.standard_normal(count), 0,
                            1.15)
            order = np.argsort(shine + 0.35 * self.random.random_sample(count))
            # Shadows are cooler, and sunlit leaves are yellower.
            local = np.asarray(color, np.float32) * mix((0.62, 0.78, 0.92),
                                                        (1.14, 1.06, 0.72), np.clip(shine, 0, 1))
            tone = light.far(light.lit([1, 1, 1], 0.05 + 1.05 * shine) * local, distance)
            size = leaf * (0.7 + 0.6 * self.random.random_sample(count))
            self.strokes(lx[order], ly[order], size * 1.7, size * 0.95,
                         (turn + math.pi / 2 + 0.7 * self.random.standard_normal(count))[order],
                         self.jitter(tone[order], 0.06, hue), 0.88)

    def trunk(self, points, thick, color=(0.36, 0.27, 0.2), distance=0.0, taper=0.5):
        """A trunk or branch along points, thicker at its first one."""
        light = self.light
        points = np.asarray(points, np.float32)
        steps = np.hypot(*np.diff(points, axis=0).T)
        total = steps.sum()
        count = int(total / 3) + 4
        at = np.linspace(0, total, count)
        marks = np.concatenate([[0], np.cumsum(steps)])
        x, y = np.interp(at, marks, points[:, 0]), np.interp(at, marks, points[:, 1])
        turn = np.arctan2(np.gradient(y), np.gradient(x))
        girth = thick * (1 - taper * at / total)
        for across, shine in ((0, 0.25), (-0.32 * light.side, 0.08), (0.22 * light.side, 0.55), (0.36 * light.side,
                                                                                                 0.95)):
            px = x - np.sin(turn) * -across * girth + 0.06 * girth * self.random.standard_normal(count)
            px = x + across * girth + 0.05 * girth * self.random.standard_normal(count)
            size = girth * (1 if across == 0 else 0.42)
            tone = light.far(light.lit(color, np.clip(shine + 0.15 * self.random.standard_normal(count), 0, 1)),
                             distance)
            self.strokes(px, y, np.maximum(8, size * 1.8),
                         np.maximum(2, size), turn + 0.12 * self.random.standard_normal(count),
                         self.jitter(tone, 0.06, 0.02), 0.85 if across == 0 else 0.6)

    def tree(self, x, foot, tall, color, leaf=9, distance=0.0, wide=None, blobs=16, lean=0.0, trunk=0.42):
        """A leafy tree whose foot is at (x, foot)."""
        wide = wide or tall * 0.36
        middle = foot - tall * 0.6
        top = x + lean * tall
        self.shadow(x, foot, wide * 1.1, max(4, wide * 0.16))
        self.trunk([(x, foot), (x + lean * tall * 0.4 + tall * 0.012, foot - tall * 0.3), (top, middle)],
                   tall * 0.048,
                   distance=distance)
        for reach in (-0.55, 0.5, -0.25):
            self.trunk([(x + lean * tall * 0.4, foot - tall * 0.32), (top + reach * wide, middle - tall * 0.02)],
                       tall * 0.022,
                       distance=distance)
        high = tall * 0.36
        for dx, dy, size in ((-0.50, 0.38, 0.5), (0.52, 0.30, 0.52), (0.02, 0.42, 0.55), (-0.3, -0.08, 0.58),
                             (0.3, -0.18, 0.56), (-0.12, -0.48, 0.5), (0.1, -0.66, 0.38)):
            dx, dy = dx + 0.14 * self.random.standard_normal(), dy + 0.1 * self.random.standard_normal()
            tone = np.asarray(color) * (1 + 0.06 * self.random.standard_normal())
            self.crown(top + dx * wide, middle + dy * high, wide * size, high * size, tone, leaf,
                       max(6, blobs // 2), distance)

    def shadow(self, x, y, wide, tall, strength=0.5):
        """A shadow on the ground, away from the light."""
        count = int(wide * tall / 30) + 6
        turn = self.random.random_sample(count) * 2 * math.pi
        out = np.sqrt(self.random.random_sample(count))
        px = x - self.light.side * wide * 0.5 + np.cos(turn) * out * wide
        py = y + np.sin(turn) * out * tall
        row, column = np.clip(py, 0, self.height - 1).astype(int), np.clip(px, 0, self.width - 1).astype(int)
        tone = self.rgb[row, column] * (1 - strength) + strength * 0.3 * self.light.ambient * self.rgb[row, column]
        self.strokes(px, py, np.maximum(10, wide * 0.2), np.maximum(4, tall * 0.3), 0,
                     self.jitter(tone, 0.04, 0.02), 0.5)

    def conifer(self, x, foot, tall, color, distance=0.0):
        """A spruce of drooping strokes."""
        light = self.light
        count = int(tall * 2.2) + 20
        part = np.sort(self.random.random_sample(count))**0.8
        reach = (0.03 + 0.2 * part) * tall * (0.75 + 0.35 * np.sin(part * tall / 5))
        side = self.random.random_sample(count) * 2 - 1
        px, py = x + side * reach, foot - tall * (1 - part) + np.abs(side) * reach * 0.35
        shine = np.clip(0.28 + 0.38 * side * light.side + 0.2 * self.random.standard_normal(count), 0, 1)
        tone = light.far(light.lit(color, shine), distance)
        self.strokes(px, py, np.maximum(6, reach * 0.6), np.maximum(2.5, tall * 0.022), 0.55 * np.sign(side),
                     self.jitter(tone, 0.06, 0.02), 0.85)

    def grass(self, top, color, second, tall=26, shadow=None, bend=0.0, clip=None, density=1.0):
        """A meadow from a row or line to the bottom: small and hazy in the distance, blades in front."""
        light = self.light
        top = np.broadcast_to(top, self.width)
        reach = self.height - float(top.min())
        patches = self.noise(260, 60)
        fine = self.noise(50, 18)
        near = np.clip((self.y - top[None, :]) / reach, 0, 1)
        local = mix(color, second, smooth(0.35, 0.65, patches)[..., ])
        shine = np.clip(0.75 + 1.5 * (fine - 0.5) - 0.25 * near, 0, 1.1)
        if shadow is not None:
            shine = shine * (1 - shadow)
        picture = light.far(light.lit([1, 1, 1], shine) * local, 0.32 * (1 - near)**2)
        area = (self.y > top[None, :]).astype(np.float32)
        if clip is not None:
            area = area * clip
        self.render(picture, area, 40, 14, 0, 0.25, 0.04, 0.025, under=0.95)
        # Rows from the horizon to the front, with blades that grow.
        y = float(top.min())
        while y < self.height + tall:
            part = max(0.0, (y - float(top.min())) / reach)
            size = 4 + tall * part**1.2
            count = int(self.width / (size * 0.52) * density)
            px = self.random.random_sample(count) * self.width
            py = y + size * (self.random.random_sample(count) - 0.5)
            row, column = np.clip(py, 0, self.height - 1).astype(int), np.clip(px, 0, self.width - 1).astype(int)
            kept = area[row, column] > 0
            px, py, row, column = px[kept], py[kept], row[kept], column[kept]
            tone = picture[row, column] * (0.86 + 0.34 * self.random.random_sample((len(px), 1)))
            turn = math.pi / 2 + bend + 0.3 * self.random.standard_normal(len(px))
            self.strokes(px, py - size * 0.4, size * 1.25, max(2.0, size * 0.17), turn,
                         self.jitter(tone, 0.05, 0.03), 0.8)
            y += max(2.5, size * 0.34)

    def flowers(self, top, colors, count, size=7, bare=None):
        """Flowers on a meadow, in drifts."""
        part = self.random.random_sample(count)**0.62
        y = top + (self.height - top) * part
        x = self.random.random_sample(count) * self.width
        drift = self.noise(150, 50)
        row, column = np.clip(y, 0, self.height - 1).astype(int), np.clip(x, 0, self.width - 1).astype(int)
        kept = (drift[row, column] > 0.5) | (self.random.random_sample(count) < 0.12)
        if bare is not None:
            kept &= ~bare[row, column]
        x, y, part = x[kept], y[kept], part[kept]
        order = np.argsort(y)
        x, y, part = x[order], y[order], part[order]
        pick = (drift[row[kept][order], column[kept][order]] * 9 * len(colors)).astype(int)
        pick = (pick + (self.random.random_sample(len(x)) < 0.3)) % len(colors)
        shine = 0.55 + 0.45 * self.random.random_sample(len(x))
        tone = self.light.lit([1, 1, 1], shine) * np.asarray(colors, np.float32)[pick]
        scale = 1.6 + size * part**1.25 * (0.7 + 0.5 * self.random.random_sample(len(x)))
        self.strokes(x, y, scale * 1.5, scale * 0.8,
                     self.random.random_sample(len(x)) * math.pi, self.jitter(tone, 0.06, 0.03), 0.92)

    def water(self, top, tint, depth=0.35, ripple=1.0, clip=None, calm=1.0):
        """Water from a row down: a broken reflection of what is above, in flat strokes."""
        light = self.light
        top = int(top)
        rows = np.arange(self.height)
        below = np.clip(rows - top, 0, None)
        source = np.clip(top - 2 - (below * 1.02).astype(int), 0, self.height - 1)
        mirrored = self.rgb[source]
        far = np.clip((self.y - top) / (self.height - top), 0, 1)
        wave = self.noise(240, 9, 3) - 0.5
        shift = wave * ripple * (12 + 120 * far)
        column = np.clip(self.x + shift, 0, self.width - 1).astype(int)
        mirrored = np.take_along_axis(mirrored, column[..., None], 1)
        mirrored = 0.55 * mirrored + 0.45 * blurred(mirrored, 9 * calm)
        picture = mix(mirrored, light.lit(tint, 0.5), depth * (0.55 + 0.6 * far))
        picture = picture * (1 + 0.22 * (self.noise(190, 10, 3) - 0.5) * ripple)[..., None]
        area = (self.y > top).astype(np.float32)
        if clip is not None:
            area = area * clip
        hard = None if clip is None else clip.astype(np.float32)
        self.render(picture, area, 64, 12, 0, 0.05, 0.02, 0.012, alpha=0.95, clip=hard, under=0.95)
        self.render(picture, area, 40, 6, 0, 0.04, 0.025, 0.012, alpha=0.8, clip=hard)
        # Ripples that catch the sky, wider toward the front.
        count = int(1700 * ripple)
        part = self.random.random_sample(count)**0.8
        y = top + 2 + (self.height - top) * part
        x = self.random.random_sample(count) * self.width
        row, column = np.clip(y, 0, self.height - 1).astype(int), x.astype(int)
        kept = area[row, column] > 0
        x, y, part, row, column = x[kept], y[kept], part[kept], row[kept], column[kept]
        tone = mix(picture[row, column], mix(light.horizon, light.zenith, 0.3 + 0.5 * part), 0.35)
        tone = tone * (0.86 + 0.3 * self.random.random_sample((len(x), 1)))
        self.strokes(x, y, 10 + 50 * part * (0.4 + self.random.random_sample(len(x))), 2 + 3.5 * part, 0,
                     self.jitter(tone, 0.03, 0.01), 0.5, hard)
        return picture

    def glitter(self, x, top, bottom, wide, count=500, color=None, strength=0.8):
        """The path of the sun or a lamp on water."""
        part = self.random.random_sample(count)**0.9
        y = top + (bottom - top) * part
        px = x + self.random.standard_normal(count) * wide * (0.35 + 0.9 * part)
        size = 6 + 26 * part * self.random.random_sample(count)
        tone = np.tile(self.light.glow if color is None else np.asarray(color, np.float32), (count, 1))
        self.strokes(px, y, size, 2 + 2.4 * part, 0, self.jitter(tone, 0.04, 0.02), strength * (1 - 0.45 * part))

    def glow(self, x, y, radius, color, strength):
        away = np.hypot(self.x - x, self.y - y) / radius
        self.rgb = mix(self.rgb, color, np.exp(-(away**1.4) * 2) * strength)

    def drawn(self, draw):
        """A picture and its mask from a function that draws on both at twice the size."""
        size = (self.width * 2, self.height * 2)
        picture, mask = Image.new("RGB", size), Image.new("L", size)
        colors, cover = ImageDraw.Draw(picture), ImageDraw.Draw(mask)

        def polygon(points, color):
            points = [(float(x) * 2, float(y) * 2) for x, y in points]
            rgb = tuple(int(255 * min(1, max(0, c))) for c in np.asarray(color).ravel())
            colors.polygon(points, fill=rgb)
            cover.polygon(points, fill=255)

        draw(polygon)
        half = (self.width, self.height)
        picture = np.asarray(picture.resize(half, Image.BOX), np.float32) / 255
        mask = np.asarray(mask.resize(half, Image.BOX), np.float32) / 255
        # Without the black around the drawing at its edges.
        return picture / np.maximum(mask, 0.02)[..., None], mask

    def build(self, draw, stroke=9, angle=0.0, keep=0.55, value=0.045):
        """Paints what a function draws: buildings and boats, with fine strokes inside their outlines."""
        picture, mask = self.drawn(draw)
        worn = 1 + 0.22 * (self.noise(90, 60) - 0.5) + 0.12 * (self.noise(12, 9, 2) - 0.5)
        picture = np.clip(picture * worn[..., None], 0, 1)
        self.rgb = mix(self.rgb, picture, mask)
        area = (mask > 0.5).astype(np.float32)
        self.render(picture, area, stroke * 1.9, stroke * 0.8, angle, 0.2, value, 0.018, alpha=0.7, clip=mask)
        self.rgb = mix(self.rgb, picture, mask * keep)
        return mask

    # The end.

    def finished(self, mirrored):
        """The painting on its canvas, in raking light."""
        relief = self.relief - blurred(self.relief, 5)
        slope = np.roll(relief, 1, 0) + np.roll(relief, 1, 1) - np.roll(relief, -1, 0) - np.roll(relief, -1, 1)
        weave = np.sin(self.x * 1.9) * np.sin(self.y * 1.9)
        away = np.hypot(self.x / self.width - 0.5, self.y / self.height - 0.5)
        shade = 1 - 0.075 * np.clip(slope, -1, 1) + 0.006 * weave
        shade = shade * (1.02 - 0.26 * np.clip(away - 0.28, 0, 1)**1.3)
        rgb = np.clip(self.rgb * shade[..., None], 0, 1)
        gray = rgb.mean(-1, keepdims=True)
        rgb = gray + (rgb - gray) * 0.96
        if mirrored:
            rgb = rgb[:, ::-1]
        return Image.fromarray((np.clip(rgb, 0, 1) * 255 + 0.5).astype(np.uint8), "RGB")


def window(polygon, x, y, wide, tall, color, frame=None, bars=True):
    """A window with its frame and bars."""
    if frame is not None:
        polygon([(x - 2.5, y - 2.5), (x + wide + 2.5, y - 2.5), (x + wide + 2.5, y + tall + 2.5),
                 (x - 2.5, y + tall + 2.5)], frame)
    polygon([(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)], color)
    if frame is not None and bars:
        polygon([(x + wide / 2 - 1, y), (x + wide / 2 + 1, y), (x + wide / 2 + 1, y + tall),
                 (x + wide / 2 - 1, y + tall)], frame)
        polygon([(x, y + tall * 0.42), (x + wide, y + tall * 0.42), (x + wide, y + tall * 0.42 + 2),
                 (x, y + tall * 0.42 + 2)], frame)


# Motifs.

GREEN, OLIVE, DEEP, LIME = (0.37, 0.49, 0.24), (0.49, 0.50, 0.25), (0.21, 0.35, 0.24), (0.55, 0.60, 0.27)


def lake(p):
    """A boathouse across a lake, under the boughs of a tree."""
    light = p.light
    p.sky(520, 0.75, sun=(930, 300) if light.low else None)
    if not light.low:
        p.cumulus(300, 330, 330, 12)
        p.cumulus(1010, 250, 240, 9)
        p.cumulus(660, 420, 170, 7)
    p.ridge(400, 190, 520, (0.36, 0.46, 0.58), 0.62, bottom=560)
    p.ridge(470, 90, 330, (0.30, 0.46, 0.42), 0.42, bottom=560)
    p.ridge(520, 30, 260, (0.26, 0.44, 0.26), 0.26, rough=20, bottom=566, tree=9)
    for x, tall in ((150, 120), (235, 150), (320, 110), (1020, 130), (1110, 170), (1200, 140), (1270, 150)):
        p.crown(x, 560 - tall * 0.45, tall * 0.5, tall * 0.52, GREEN if tall % 20 else OLIVE, 7, 9, 0.14)

    def boathouse(polygon):
        wall, roof, dark = (light.lit((0.62, 0.46, 0.34), 0.7), light.lit((0.50, 0.28, 0.22),
                                                                          0.75), light.lit((0.2, 0.17, 0.15), 0.25))
        polygon([(560, 562), (560, 505), (690, 505), (690, 562)], wall)
        polygon([(690, 562), (690, 505), (726, 515), (726, 562)], light.lit((0.62, 0.46, 0.34), 0.1))
        polygon([(545, 508), (578, 462), (676, 462), (705, 508)], roof)
        polygon([(705, 508), (676, 462), (736, 516)], light.lit((0.50, 0.28, 0.22), 0.15))
        for x in range(566, 690, 11):
            polygon([(x, 508), (x + 1.6, 508), (x + 1.6, 562), (x, 562)], light.lit((0.48, 0.34, 0.26), 0.35))
        polygon([(640, 562), (640, 528), (676, 528), (676, 562)], dark)
        for x in (578, 606):
            window(polygon, x, 522, 14, 18, dark, light.lit((0.90, 0.86, 0.78), 0.7))
        polygon([(520, 566), (520, 560), (760, 560), (760, 566)], light.lit((0.45, 0.36, 0.28), 0.5))

    for x, tall in ((480, 150), (800, 175), (870, 120)):
        p.crown(x, 556 - tall * 0.45, tall * 0.5, tall * 0.5, LIME if tall == 150 else GREEN, 7, 10, 0.1)
    p.build(boathouse, 6)
    p.crown(745, 540, 34, 26, OLIVE, 5, 5, 0.05)
    p.crown(540, 548, 26, 18, GREEN, 5, 5, 0.05)
    p.water(564, (0.20, 0.38, 0.46), 0.28)
    if light.low:
        p.glitter(930, 575, 930, 40, 420)
    bank = p.profile(905, 60, 500) + np.linspace(-90, 30, p.width)
    p.grass(bank, GREEN, OLIVE, 40)
    overhang(p, GREEN, (0.36, 0.27, 0.2))
    reeds(p, 900, 1280, 960, 190)


def overhang(p, color, bark):
    """A tree at the left edge, whose boughs frame the view."""
    p.trunk([(26, 990), (40, 900), (44, 700), (30, 480), (52, 240), (70, 60)], 62, bark, taper=0.45)
    p.trunk([(36, 520), (110, 400), (230, 290), (380, 190)], 24, bark, taper=0.75)
    p.trunk([(46, 300), (150, 190), (330, 90), (520, 50)], 20, bark, taper=0.75)
    p.trunk([(38, 640), (100, 560), (170, 520)], 15, bark, taper=0.75)
    boughs = ((180, 520, 70, 34), (60, 470, 80, 46), (150, 390, 105, 52), (300, 300, 120, 54), (60, 320, 120, 70),
              (420, 205, 110, 44), (230, 200, 150, 70), (90, 170, 170, 90), (560, 70, 120, 40), (400, 80, 170, 62),
              (230, 50, 210, 80), (60, 30, 180, 90), (660, 20, 120, 34))
    for x, y, wide, tall in boughs:
        p.crown(x, y, wide, tall, color, 10.5, 13, 0, 0.62, 0.32)


def reeds(p, left, right, foot, tall, count=170):
    """Reeds and cattails between two columns."""
    x = left + (right - left) * p.random.random_sample(count)
    tall = tall * (0.45 + 0.55 * p.random.random_sample(count))
    lean = 0.2 * p.random.standard_normal(count)
    order = np.argsort(-tall)
    for i in order:
        shine = 0.2 + 0.8 * p.random.random_sample()
        tone = p.light.lit(mix((0.30, 0.36, 0.16), (0.62, 0.58, 0.28), p.random.random_sample()), shine)
        steps = np.linspace(0, 1, int(tall[i] / 12) + 2)
        px, py = x[i] + lean[i] * tall[i] * steps**2, foot - tall[i] * steps
        turn = math.pi / 2 + np.arctan(-2 * lean[i] * steps) * -1
        p.strokes(px, py, 26, 4.5 - 2.5 * steps, turn, p.jitter(np.tile(tone, (len(px), 1)), 0.04, 0.02), 0.9)
        if p.random.random_sample() < 0.16:
            p.strokes([px[-1]], [py[-1]], 26, 8, math.pi / 2, [p.light.lit((0.34, 0.2, 0.12), 0.6)], 0.95)


def meadow(p):
    """A path through a meadow with poppies."""
    light = p.light
    p.sky(600, 0.35, sun=(300, 420) if light.low else None)
    if light.low:
        p.cumulus(900, 300, 330, 9)
        p.cumulus(560, 200, 200, 7)
    else:
        p.cumulus(420, 400, 420, 16)
        p.cumulus(1040, 340, 330, 12)
        p.cumulus(720, 150, 190, 8)
        p.cumulus(120, 500, 200, 8)
    p.ridge(540, 110, 420, (0.36, 0.46, 0.54), 0.6, bottom=640)
    p.ridge(585, 50, 300, (0.34, 0.48, 0.34), 0.4, bottom=640)
    p.ridge(602, 20, 300, (0.28, 0.42, 0.24), 0.22, rough=24, bottom=640, tree=8)
    hill = p.profile(622, 40, 700, 2)
    shadow = smooth(0.55, 0.7, p.noise(500, 70)) * 0.55
    p.grass(hill, (0.44, 0.58, 0.22), (0.60, 0.60, 0.26), 46, shadow)
    # A path that winds to the trees.
    y = np.linspace(632, 980, 120)
    part = (y - 632) / 348
    middle = 690 + 150 * np.sin(part * 3.2 + 2.6) * (1 - 0.35 * part) - 180 * part
    wide = 5 + 100 * part**1.35
    for i in range(len(y)):
        count = int(5 + wide[i] / 4)
        x = middle[i] + wide[i] * (p.random.random_sample(count) * 2 - 1)
        tone = light.lit(mix((0.72, 0.60, 0.42), (0.84, 0.74, 0.54), p.random.random_sample(count)),
                         0.35 + 0.5 * p.random.random_sample(count))
        p.strokes(x, y[i] + 3 * p.random.standard_normal(count), 8 + 26 * part[i],
                  3 + 8 * part[i], 0.1 * p.random.standard_normal(count),
                  p.jitter(light.far(tone, 0.2 * (1 - part[i])), 0.04, 0.015), 0.75)
    p.tree(960, 668, 330, GREEN, 9, 0.04, 150, 20)
    p.tree(1150, 650, 150, OLIVE, 7, 0.12, 62, 12)
    p.tree(150, 645, 120, DEEP, 6, 0.18, 50, 10)
    lane = np.zeros(p.rgb.shape[:2], bool)
    for row in range(640, p.height):
        near = (row - 632) / 348
        center = 690 + 150 * np.sin(near * 3.2 + 2.6) * (1 - 0.35 * near) - 180 * near
        lane[row] = np.abs(p.x[0] - center) < 5 + 100 * near**1.35
    p.flowers(648, [(0.90, 0.22, 0.16), (0.93, 0.30, 0.18), (1, 0.97, 0.90), (0.88, 0.20, 0.16),
                    (0.98, 0.84, 0.34)], 3000, 8, lane)


def mist(p):
    """Ridges with spruces, and mist in the valleys."""
    light = p.light
    p.sky(640, 0.3, sun=(820, 330), warmth=0.9)
    tones = (0.42, 0.50, 0.56), (0.36, 0.47, 0.50), (0.28, 0.42, 0.42), (0.20, 0.35, 0.33), (0.13, 0.26, 0.24)
    levels = 440, 520, 610, 710, 830
    for number, (tone, level) in enumerate(zip(tones, levels)):
        distance = (0.80, 0.66, 0.48, 0.28, 0.06)[number]
        line, _ = p.ridge(level, (230, 180, 150, 120, 110)[number], (520, 430, 380, 420, 520)[number],
                          tone,
                          distance,
                          fade=0.75 if number < 4 else 0.25)
        count = (0, 60, 60, 46, 26)[number]
        tall = (0, 26, 52, 98, 210)[number]
        x = np.sort(p.random.random_sample(count) * p.width)
        x = x + 30 * p.random.standard_normal(count)
        for px in p.random.permutation(x):
            foot = line[int(np.clip(px, 0, p.width - 1))] + tall * 0.15
            p.conifer(px, foot, tall * (0.55 + 0.6 * p.random.random_sample()), tone, distance)
        if number < 4:
            # Mist gathers in the valleys.
            amount = (smooth(level + 20, level + 150, p.y + 60 * (p.noise(420, 120) - 0.5)) *
                      (0.62, 0.6, 0.55, 0.45)[number])
            picture = mix(p.rgb, mix(light.haze, light.horizon, 0.55), amount)
            p.render(picture, (amount > 0.03).astype(np.float32), 70, 18, 0, 0.1, 0.012, 0.008, alpha=0.75)
    p.glow(820, 330, 520, light.glow, 0.25)


def birches(p):
    """A birch forest in autumn."""
    light = p.light
    picture = mix(light.far((0.86, 0.66, 0.26), 0.25), light.lit((0.36, 0.30, 0.13), 0.6),
                  smooth(300, 1050, p.y + 160 * (p.noise(240) - 0.5)))
    glow = np.exp(-(((p.x - 520) / 270)**2) - ((p.y - 560) / 380)**2)
    picture = mix(picture, mix(light.glow, (1, 0.93, 0.66), 0.5), glow * 0.85)
    p.render(picture, None, 70, 30, 1.2, 0.6, 0.05, 0.03, under=1.0)
    p.render(picture, None, 40, 16, 1.2, 0.8, 0.06, 0.035)
    # Far trunks in the haze, then leaves, then nearer trunks.
    for distance, count, thick, leaves, leaf in ((0.72, 26, 9, 900, 9), (0.48, 15, 16, 1300, 11), (0.22, 8, 27,
                                                                                                   1500, 13)):
        foot = 820 + (1 - distance) * 330
        for x in (np.arange(count) + 0.2 + 0.6 * p.random.random_sample(count)) / count * p.width:
            birch(p, x, foot + 30 * p.random.standard_normal(), -40, thick * (0.7 + 0.6 * p.random.random_sample()),
                  distance)
        x, y = p.random.random_sample(leaves) * p.width, p.random.random_sample(leaves)**1.5 * 760 - 20
        field = p.noise(170)
        row, column = np.clip(y, 0, p.height - 1).astype(int), x.astype(int)
        kept = field[row, column] > 0.47
        x, y = x[kept], y[kept]
        tone = mix((0.86, 0.46, 0.10), (1, 0.84, 0.26), p.random.random_sample(len(x)))
        tone = light.far(light.lit([1, 1, 1], 0.25 + 0.8 * p.random.random_sample(len(x))) * tone, distance * 0.7)
        p.strokes(x, y, leaf * 1.6, leaf,
                  p.random.random_sample(len(x)) * math.pi, p.jitter(tone, 0.06, 0.03), 0.85)
    ground(p, 900, ((0.62, 0.36, 0.10), (0.86, 0.60, 0.16), (0.42, 0.34, 0.12)), glow)
    for x, thick, lean in ((150, 62, 18), (345, 40, -14), (735, 74, -26), (905, 46, 12)):
        birch(p, x, 1170 + thick, -60, thick, 0, lean)
    for x, y, wide, tall in ((60, 40, 260, 150), (330, 10, 220, 110), (650, 60, 240, 120), (920, 60, 200, 170),
                             (930, 330, 110, 120), (20, 330, 100, 120)):
        p.crown(x, y, wide, tall, (0.96, 0.66, 0.14), 13, 12, 0, 0.55, 0.3)
    ground(p, 1150, ((0.56, 0.30, 0.08), (0.92, 0.62, 0.14), (0.36, 0.28, 0.1)), glow * 0)


def birch(p, x, foot, top, thick, distance, lean=0):
    """The trunk of a birch."""
    light = p.light
    count = int((foot - top) / 5)
    part = np.linspace(0, 1, count)
    y = foot + (top - foot) * part
    px = x + lean * part + 3 * np.sin(part * 7 + x)
    girth = thick * (1 - 0.45 * part)
    for across, shine, size in ((0, 0.55, 1.0), (-0.34 * light.side, 0.05, 0.34), (0.28 * light.side, 1.0, 0.4)):
        tone = light.far(
            light.lit((0.88, 0.86, 0.80), np.clip(shine + 0.14 * p.random.standard_normal(count), 0, 1)), distance)
        p.strokes(px + across * girth, y, np.maximum(10, girth * 0.8),
                  np.maximum(2,
                             girth * size), (math.pi / 2 if size < 1 else 0.12 * p.random.standard_normal(count)),
                  p.jitter(tone, 0.035, 0.015), 0.85)
    marks = int((foot - top) / 13)
    my = foot + (top - foot) * p.random.random_sample(marks)
    spot = np.interp(-my, -y, px), np.interp(-my, -y, girth)
    tone = light.far(np.tile(light.lit((0.16, 0.13, 0.12), 0.4), (marks, 1)), distance)
    side = p.random.random_sample(marks) - 0.5
    p.strokes(spot[0] + side * spot[1] * 0.7, my, spot[1] * (0.25 + 0.5 * p.random.random_sample(marks)),
              np.maximum(2, spot[1] * 0.11), 0.15 * p.random.standard_normal(marks), p.jitter(tone, 0.05, 0.02),
              0.8)


def ground(p, top, colors, glow):
    """Fallen leaves from a row down."""
    count = 4200
    y = top + np.sort(p.random.random_sample(count)) * (p.height - top + 20)
    x = p.random.random_sample(count) * p.width
    row, column = np.clip(y, 0, p.height - 1).astype(int), x.astype(int)
    part = (y - top) / (p.height - top)
    tone = np.asarray(colors, np.float32)[p.random.randint(0, len(colors), count)]
    shine = np.clip(0.15 + 0.75 * p.random.random_sample(count)**1.5 + 0.5 * glow[row, column], 0, 1.2)
    p.strokes(x, y, 12 + 12 * part, 6 + 6 * part,
              p.random.random_sample(count) * 0.9 - 0.45,
              p.jitter(p.light.lit([1, 1, 1], shine) * tone, 0.06, 0.03), 0.85)


def avenue(p):
    """A path between two rows of trees."""
    light = p.light
    vx, vy = 470, 690
    picture = mix(light.far((0.62, 0.70, 0.36), 0.35), light.horizon, 0.35)
    picture = np.broadcast_to(picture, p.rgb.shape) * (1 + 0.35 * (p.noise(160) - 0.5))[..., None]
    glow = np.exp(-np.hypot((p.x - vx) / 250, (p.y - vy + 110) / 330)**2)
    picture = mix(picture, mix(light.glow, (1, 1, 0.9), 0.35), glow * 0.9)
    p.render(picture, None, 60, 26, 1.3, 0.6, 0.04, 0.025, under=1.0)
    p.render(picture, None, 30, 12, 1.3, 0.8, 0.05, 0.03)
    p.grass(np.full(p.width, vy + 12.0), (0.40, 0.52, 0.20), (0.56, 0.56, 0.24), 40, density=0.9)
    part = (p.y - vy) / (p.height - vy)
    lane = (np.abs(p.x - vx - 26 * part) < 5 + 330 * part + 8 * (p.noise(40) - 0.5)) & (part > 0.01)
    spots = smooth(0.46, 0.60, p.noise(170, 22, 3)) * smooth(0, 0.12, part)
    earth = light.lit(mix((0.70, 0.58, 0.42), (0.80, 0.68, 0.50), p.noise(40, 12)), 0.12 + 0.95 * spots)
    earth = light.far(earth, 0.5 * np.clip(1 - part * 2.2, 0, 1)**2)
    p.render(earth, lane.astype(np.float32), 44, 10, 0, 0.1, 0.04, 0.015, under=0.9)
    p.render(earth, lane.astype(np.float32), 26, 6, 0, 0.12, 0.04, 0.015)
    for step in range(16, -1, -1):
        z = 1 * 1.19**step
        distance = np.clip((z - 1) / 15, 0, 0.8)
        foot, tall, thick = vy + 470 / z, 1250 / z, 54 / z
        leaf = max(4.0, 15 / z**0.55)
        for side in (-1, 1):
            x = vx + side * 405 / z + 26 / z + 8 / z * p.random.standard_normal()
            p.shadow(x, foot, 200 / z, max(2, 16 / z), 0.45)
            p.trunk([(x, foot), (x - side * 8 / z, foot - tall * 0.5), (x - side * 50 / z, foot - tall * 0.8)],
                    thick, (0.34, 0.28, 0.22), distance, 0.45)
            p.trunk([(x, foot - tall * 0.5), (x - side * 190 / z, foot - tall * 0.82)], thick * 0.4,
                    (0.34, 0.28, 0.22), distance, 0.5)
            tone = mix(LIME, GREEN, 0.75 * p.random.random_sample())
            for dx, dy, size in ((60, 0.62, 0.75), (-60, 0.74, 1), (-170, 0.88, 0.95), (-250, 0.98, 0.8)):
                p.crown(x + side * dx / z, foot - tall * dy - 20 / z, 190 / z * size, 175 / z * size, tone, leaf, 9,
                        distance, 0.8, 0.3)
    for dx, tone in ((-7, (0.50, 0.16, 0.14)), (7, (0.18, 0.2, 0.28))):
        p.strokes([vx + dx, vx + dx, vx + dx], [vy + 46, vy + 32, vy + 21], [26, 20, 8], [8, 10, 7], math.pi / 2,
                  [light.lit((0.2, 0.18, 0.2), 0.3),
                   light.lit(tone, 0.7),
                   light.lit((0.6, 0.45, 0.35), 0.8)], 0.95)


def bridge(p):
    """A stone bridge with lamps across a river."""
    light = p.light
    p.sky(600, 0.95, sun=(860, 505))
    p.ridge(545, 90, 420, (0.34, 0.36, 0.48), 0.58, bottom=640)
    p.ridge(580, 30, 260, (0.24, 0.34, 0.26), 0.34, rough=26, bottom=640, tree=8)
    spires(p, 1010, 575, 0.42)
    top, foot = 470, 624
    arches = [(-60, 150), (170, 400), (424, 690), (714, 940), (964, 1150)]

    def road(x):
        return top + ((x - 556) / 700)**2 * 90

    def stone(polygon):
        tone, dark, under = (light.lit((0.62, 0.54, 0.46), a) for a in (0.42, 0.18, 0.04))
        edge = [(x, road(x)) for x in range(-20, 1301, 20)]
        low = [(1300, foot)]
        inner = []
        for left, right in reversed(arches):
            middle, half = (left + right) / 2, (right - left) / 2
            rise = min(half, foot - road(middle) - 26)
            turns = np.linspace(0, math.pi, 30)
            arc = [(middle + half * math.cos(t), foot - rise * math.sin(t)) for t in turns]
            low += arc
            inner.append([(middle + half * math.cos(t), foot - rise * math.sin(t)) for t in turns] +
                         [(middle + 14 + (half - 10) * math.cos(t), foot - (rise - 12) * math.sin(t))
                          for t in turns[::-1]])
        for points in inner:
            polygon(points, under)
        polygon(edge + low + [(-20, foot)], tone)
        polygon(edge + [(x, y + 13) for x, y in reversed(edge)], light.lit((0.70, 0.62, 0.52), 0.85))
        polygon([(x, y + 13) for x, y in edge] + [(x, y + 19) for x, y in reversed(edge)], dark)
        for number, (left, right) in enumerate(arches):
            middle, half = (left + right) / 2, (right - left) / 2
            rise = min(half, foot - road(middle) - 26)
            turns = np.linspace(0, math.pi, 26)
            for first, second in list(zip(turns, turns[1:]))[number % 2::2]:
                polygon([(middle + (half + o) * math.cos(t), foot - (rise + o) * math.sin(t))
                         for t, o in ((first, 0), (first, 13), (second, 13), (second, 0))],
                        light.lit((0.70, 0.60, 0.50), 0.7))
        for (_, x), (next_left, _) in zip(arches, arches[1:]):
            polygon([(x - 8, foot + 4), (x - 4, foot - 50), (x + 12, foot - 66), (next_left + 4, foot - 50),
                     (next_left + 8, foot + 4)], light.lit((0.58, 0.50, 0.42), 0.25))

    p.build(stone, 8, 0, 0.4)
    for x in range(70, 1260, 172):
        lamp = road(x)
        p.trunk([(x, lamp + 4), (x, lamp - 46)], 5, (0.15, 0.14, 0.16), taper=0.2)
        p.glow(x, lamp - 50, 42, light.glow, 0.55)
        p.strokes([x], [lamp - 50], 11, 9, 1.57, [mix(light.glow, (1, 1, 1), 0.4)], 1)
    for x, tall in ((30, 230), (120, 160), (1250, 250), (1150, 150)):
        p.crown(x, 628 - tall * 0.46, tall * 0.55, tall * 0.5, DEEP if tall > 200 else OLIVE, 9, 12, 0.04)
    p.water(626, (0.16, 0.20, 0.34), 0.16, 1.1)
    p.glitter(860, 640, 950, 36, 460)
    bank = p.profile(930, 50, 400) + np.linspace(70, -40, p.width)
    p.grass(bank, (0.24, 0.30, 0.16), (0.34, 0.30, 0.18), 44)
    reeds(p, 960, 1290, 970, 200, 130)


def spires(p, x, foot, distance):
    """A distant church."""
    light = p.light

    def draw(polygon):
        wall = light.far(light.lit((0.55, 0.48, 0.46), 0.4), distance)
        roof = light.far(light.lit((0.40, 0.30, 0.32), 0.3), distance)
        polygon([(x - 14, foot), (x - 14, foot - 80), (x + 14, foot - 80), (x + 14, foot)], wall)
        polygon([(x - 17, foot - 80), (x, foot - 165), (x + 17, foot - 80)], roof)
        polygon([(x + 14, foot), (x + 14, foot - 40), (x + 34, foot - 58), (x + 78, foot - 58), (x + 88, foot - 36),
                 (x + 88, foot)], roof)

    p.build(draw, 5)


ROOFS = (0.68, 0.33, 0.22), (0.60, 0.30, 0.22), (0.74, 0.42, 0.28), (0.50, 0.32, 0.28), (0.42, 0.40, 0.44)
WALLS = (0.90, 0.82, 0.68), (0.86, 0.70, 0.52), (0.93, 0.88, 0.80), (0.80, 0.62, 0.48), (0.76, 0.74, 0.70)


def house(p, x, foot, wide, tall, distance, lamps=0.0, detail=True):
    """A house with a side and a front; its roof shows the near slope."""
    light = p.light
    random = p.random
    roof, wall = ROOFS[random.randint(len(ROOFS))], WALLS[random.randint(len(WALLS))]
    side = light.side
    front = wide * (0.36 + 0.14 * random.random_sample())
    ridge = tall * (0.34 + 0.16 * random.random_sample())
    flip = random.random_sample() < 0.5

    def at(u):
        return x + (wide - u if flip else u)

    def draw(polygon):
        sunny = (side < 0) != flip
        faces = (0.85, 0.22) if sunny else (0.25, 0.8)
        tone = [light.far(light.lit(wall, f), distance) for f in faces]
        slope = light.far(light.lit(roof, 0.8 if not sunny else 0.45), distance)
        top = foot - tall
        polygon([(at(0), foot), (at(0), top), (at(front / 2), top - ridge), (at(front), top), (at(front), foot)],
                tone[0])
        polygon([(at(front), foot), (at(front), top), (at(wide), top), (at(wide), foot)], tone[1])
        over = wide * 0.035
        polygon([(at(front / 2), top - ridge - 2), (at(front + over), top + 5), (at(wide + over), top + 5),
                 (at(wide - front * 0.42), top - ridge - 2)], slope)
        edge = light.far(light.lit(roof, 0.95 if sunny else 0.2), distance)
        polygon([(at(front / 2), top - ridge - 4), (at(-over), top + 4), (at(-over), top + 10),
                 (at(front / 2), top - ridge + 5)], edge)
        stack = front * 0.5 + (wide - front) * (0.25 + 0.4 * random.random_sample())
        brick = light.far(light.lit((0.55, 0.34, 0.28), 0.5), distance)
        polygon([(at(stack), top - ridge * 0.7), (at(stack), top - ridge - tall * 0.16),
                 (at(stack + wide * 0.06), top - ridge - tall * 0.16),
                 (at(stack + wide * 0.06), top - ridge * 0.7)], brick)
        pane_size = max(4.0, tall * 0.11)
        for row in range(max(1, int(tall / (pane_size * 3)))):
            py = top + pane_size * (1 + row * 2.7)
            for u in np.arange(pane_size * 1.2, wide - pane_size * 1.6, pane_size * 2.6):
                if (abs(u + pane_size / 2 - front) < pane_size or random.random_sample() < 0.12
                        or py + pane_size * 1.5 > foot):
                    continue
                lit = random.random_sample() < lamps
                pane = ((1, 0.80, 0.42) if lit else light.far(
                    light.lit((0.24, 0.27, 0.32), 0.3 + 0.4 * random.random_sample()), distance))
                left = min(at(u), at(u + pane_size))
                window(
                    polygon, left, py, pane_size, pane_size * 1.45, pane,
                    light.far(light.lit((0.93, 0.91, 0.86), 0.6), distance) if detail and pane_size > 8 else None,
                    pane_size > 12)

    p.build(draw, max(4, tall * 0.07), 0, 0.5)


def rooftops(p):
    """The roofs of an old town around its church."""
    light = p.light
    p.sky(520, 0.8, sun=(960, 330) if light.low else None)
    if not light.low:
        p.cumulus(420, 270, 260, 9)
        p.cumulus(1000, 340, 200, 7)
    p.ridge(430, 170, 560, (0.38, 0.42, 0.54), 0.66, bottom=700)
    p.ridge(480, 80, 380, (0.34, 0.42, 0.40), 0.48, bottom=700)

    def church(polygon):
        d = 0.26
        stone, dark = (light.far(light.lit((0.78, 0.68, 0.56), a), d) for a in (0.8, 0.25))
        copper, shade = (light.far(light.lit((0.36, 0.52, 0.48), a), d) for a in (0.75, 0.15))
        lit, dim = (stone, dark) if light.side < 0 else (dark, stone)
        polygon([(420, 640), (420, 330), (458, 330), (458, 640)], lit)
        polygon([(458, 640), (458, 330), (488, 338), (488, 640)], dim)
        polygon([(412, 332), (455, 165), (457, 332)], copper if light.side < 0 else shade)
        polygon([(457, 332), (455, 165), (496, 340)], shade if light.side < 0 else copper)
        for y in (370, 440):
            polygon([(430, y + 36), (430, y + 8), (438, y), (446, y + 8), (446, y + 36)],
                    light.far(light.lit((0.2, 0.2, 0.24), 0.3), d))
        polygon([(488, 640), (488, 500), (640, 500), (640, 640)], dim)
        polygon([(480, 505), (520, 430), (625, 430), (655, 505)], light.far(light.lit((0.46, 0.34, 0.32), 0.5), d))

    for row, (foot, tall, wide, distance) in enumerate(
        ((545, 30, 60, 0.56), (575, 44, 84, 0.44), (625, 62, 112, 0.30), (700, 88, 150, 0.17),
         (800, 120, 205, 0.07), (1010, 190, 290, 0))):
        if row == 2:
            p.build(church, 7)
        p.ridge(foot - tall * 0.75, tall * 0.4, wide, (0.34, 0.38, 0.24), distance, fade=0, bottom=foot + tall)
        spread = wide * (0.86 if row < 5 else 0.74)
        starts = np.arange(-wide * 0.6, p.width, spread)
        for x in p.random.permutation(starts + spread * 0.25 * p.random.standard_normal(len(starts))):
            if row < 4 and p.random.random_sample() < 0.12:
                continue
            house(p, x, foot + tall * 0.25 * p.random.standard_normal(),
                  wide * (0.85 + 0.3 * p.random.random_sample()), tall * (0.85 + 0.35 * p.random.random_sample()),
                  distance, 0.12 if light.low else 0)
        for number in range(9 if row < 5 else 0):
            size = tall * (0.35 + 0.25 * p.random.random_sample())
            p.crown(p.random.random_sample() * p.width, foot + size * 0.1, size, size * 0.9,
                    (GREEN, OLIVE)[number % 2], max(4, size * 0.14), 8, distance)
    for x, y, wide, tall in ((40, 930, 150, 110), (200, 985, 120, 70), (640, 975, 110, 70), (1240, 950, 120, 120)):
        p.crown(x, y, wide, tall, GREEN, 12, 12)


def park(p):
    """A fountain in a park."""
    light = p.light
    p.sky(560, 0.7, sun=(330, 400) if light.low else None)
    if not light.low:
        p.cumulus(430, 330, 260, 10)
        p.cumulus(900, 260, 220, 8)
    p.ridge(480, 60, 300, (0.30, 0.42, 0.34), 0.5, rough=20, bottom=640, tree=9)
    p.ridge(530, 40, 260, (0.30, 0.44, 0.24), 0.3, rough=34, bottom=640, tree=10)
    for x, foot, tall, tone, distance in ((420, 628, 300, LIME, 0.16), (860, 628, 330, GREEN, 0.16),
                                          (560, 622, 190, OLIVE, 0.24), (730, 622, 200, DEEP, 0.24)):
        p.tree(x, foot, tall, tone, 9, distance, tall * 0.4, 14)
    shadow = smooth(0.5, 0.62, p.noise(420, 60)) * 0.5 + smooth(360, 0, p.x) * 0.35
    p.grass(np.full(p.width, 622.0), (0.42, 0.55, 0.22), (0.54, 0.58, 0.26), 34, np.clip(shadow, 0, 0.8))
    x, y, wide, tall = 640, 768, 330, 76
    for number, (grow, rise, tone) in enumerate(
        ((1.62, 0, (0.80, 0.70, 0.54)), (1.1, 8, (0.52, 0.47, 0.42)), (1.1, -4, (0.90, 0.86, 0.78)))):
        ring = ((p.x - x) / (wide * grow))**2 + ((p.y - y - rise) /
                                                 (tall * grow))**2 < 1 + 0.05 * (p.noise(30) - 0.5)
        picture = light.lit(np.asarray(tone), 0.35 + 0.55 * p.noise(120, 30) + 0.15 * light.side * (p.x - x) / wide)
        p.render(picture, ring.astype(np.float32), 34 if number == 0 else 20, 8, 0, 0.1, 0.03, 0.012, under=0.95)
    pool = smooth(1.03, 0.97, ((p.x - x) / wide)**2 + ((p.y - y) / tall)**2)
    p.water(y - tall - 40, (0.40, 0.56, 0.62), 0.5, 0.7, clip=pool)
    p.strokes(x + wide * np.cos(np.linspace(3.2, 6.2, 120)), y + 3 + tall * np.sin(np.linspace(3.2, 6.2, 120)), 24,
              4, 0, p.jitter(np.tile(light.lit((0.4, 0.38, 0.34), 0.1), (120, 1))), 0.8)
    # The jet rises, breaks and falls as spray.
    count = 1500
    rise = p.random.random_sample(count)
    fall = p.random.random_sample(count)
    jet = p.random.random_sample(count) < 0.45
    px = x + np.where(
        jet, (2 + 9 * rise) * p.random.standard_normal(count) * 0.6,
        np.sign(p.random.random_sample(count) - 0.5) * (10 + 80 * fall**0.7) + 12 * p.random.standard_normal(count))
    py = np.where(jet, y - 10 - 370 * rise, y + 6 - 340 * (1 - fall**2) * (0.35 + 0.65 * rise))
    order = np.argsort(~jet)
    tone = mix(light.haze, mix(light.cloud, (1, 1, 1), 0.5), p.random.random_sample(count))
    p.strokes(px[order], py[order],
              np.where(jet, 20, 13)[order],
              np.where(jet, 5, 3.2)[order], math.pi / 2 + 0.25 * p.random.standard_normal(count),
              p.jitter(tone, 0.03, 0.01), 0.55)
    count = 260
    turn = p.random.random_sample(count) * 2 * math.pi
    out = np.sqrt(p.random.random_sample(count))
    p.strokes(x + 110 * out * np.cos(turn), y + 22 * out * np.sin(turn), 22, 4, 0,
              p.jitter(np.tile(light.cloud, (count, 1)), 0.03, 0.01), 0.45)
    for x, lean in ((60, 0.05), (1225, -0.05)):
        p.tree(x, 850, 780, GREEN if lean > 0 else OLIVE, 14, 0, 250, 24, lean)
    bed(p, 870)


def bed(p, top):
    """A border of flowers along the bottom."""
    line = top + 50 * ((p.x[0] - p.width / 2) / (p.width / 2))**2 * -1 + 44
    p.grass(line, (0.28, 0.40, 0.20), (0.36, 0.46, 0.22), 44)
    p.flowers(top + 26, [(0.92, 0.42, 0.50), (0.98, 0.88, 0.86), (0.70, 0.36, 0.62), (0.98, 0.76, 0.40)], 900, 13)


def sails(p):
    """Sailboats on a lake."""
    light = p.light
    p.sky(560, 0.7, sun=(420, 440) if light.low else None)
    if not light.low:
        p.cumulus(300, 440, 380, 14)
        p.cumulus(930, 380, 430, 14)
        p.cumulus(640, 210, 180, 7)
    else:
        p.cumulus(980, 360, 300, 9)
    p.ridge(535, 60, 420, (0.34, 0.44, 0.52), 0.62, bottom=585)
    p.ridge(562, 16, 260, (0.26, 0.40, 0.26), 0.38, rough=18, bottom=585, tree=7)
    p.water(578, (0.16, 0.38, 0.50), 0.42, 1.5)
    if light.low:
        p.glitter(420, 590, 940, 46, 600)
    for x, foot, size, tone in ((1010, 602, 0.3, (0.97, 0.95, 0.90)), (250, 612, 0.38, (0.85, 0.45, 0.30)),
                                (1130, 622, 0.42, (0.96, 0.93, 0.86)), (720, 742, 1.15, (0.98, 0.95, 0.88))):
        boat(p, x, foot, size, tone)
    reeds(p, -10, 330, 975, 250, 190)


def boat(p, x, foot, size, tone):
    """A sailboat and its reflection."""
    light = p.light
    distance = max(0.0, 0.34 - 0.3 * size)

    def shade(color, amount):
        return light.far(light.lit(color, amount), distance)

    mast, tall = x, 330 * size
    curve = [(mast - 4 * size - (96 * size) * (1 - t)**0.8 * 1, foot - 34 * size - (tall - 20 * size) * t)
             for t in np.linspace(0, 1, 14)]

    # Its reflection comes first.
    count = int(2600 * size)
    part = p.random.random_sample(count)
    half = np.where(part < 0.1, 78, 74 * (1 - part)) * size
    px = (x - 8 * size * (1 - part) + 0.8 * half * (p.random.random_sample(count) * 2 - 1) +
          16 * size * np.sin(part * 26 + 1))
    py = foot + 4 * size + part * tall * 0.86
    color = np.where((part < 0.11)[:, None], shade((0.30, 0.16, 0.14), 0.3), shade(tone, 0.6))
    p.strokes(px, py, 26 * size, 4.6 * size, 0, p.jitter(color, 0.05, 0.015), 0.34 * (1 - 0.75 * part))

    def draw(polygon):
        hull = [(x - 92 * size, foot - 22 * size), (x + 100 * size, foot - 26 * size),
                (x + 76 * size, foot + 4 * size), (x - 74 * size, foot + 5 * size)]
        polygon([(mast, foot - 34 * size)] + curve + [(mast, foot - tall - 16 * size)],
                shade(tone, 0.92 if light.side < 0 else 0.5))
        inner = [(px + 30 * size, py) for px, py in curve]
        polygon([(mast, foot - 34 * size)] + [q for q in inner if q[0] < mast] + [(mast, foot - tall * 0.7)],
                shade(tone, 0.72 if light.side < 0 else 0.7))
        jib = [(mast + 6 * size + 78 * size * (1 - t)**1.15, foot - 34 * size - (tall * 0.84) * t)
               for t in np.linspace(0, 1, 14)]
        polygon([(mast + 8 * size, foot - 40 * size)] + jib, shade(tone, 0.55 if light.side < 0 else 0.95))
        for t in (0.25, 0.45, 0.65):
            left = mast - 4 * size - 96 * size * (1 - t)**0.8
            y = foot - 34 * size - (tall - 20 * size) * t
            polygon([(left, y), (mast, y - 6 * size), (mast, y - 4.5 * size), (left, y + 1.5 * size)],
                    shade(tone, 0.25))
        polygon(hull, shade((0.52, 0.20, 0.15), 0.62))
        polygon([hull[0], hull[1], (x + 97 * size, foot - 18 * size), (x - 88 * size, foot - 15 * size)],
                shade((0.95, 0.92, 0.86), 0.85))
        polygon([(x - 70 * size, foot - 3 * size), (x + 82 * size, foot - 4 * size), hull[2], hull[3]],
                shade((0.25, 0.1, 0.1), 0.2))
        polygon([(mast - 2.5 * size, foot - 26 * size), (mast - 1.5 * size, foot - tall - 26 * size),
                 (mast + 1.5 * size, foot - tall - 26 * size), (mast + 3 * size, foot - 26 * size)],
                shade((0.42, 0.30, 0.2), 0.5))
        for dx, color in ((-40, (0.20, 0.25, 0.42)), (-18, (0.75, 0.3, 0.2))):
            polygon([(x + (dx - 8) * size, foot - 22 * size), (x + (dx - 5) * size, foot - 42 * size),
                     (x + (dx + 5) * size, foot - 42 * size), (x + (dx + 9) * size, foot - 22 * size)],
                    shade(color, 0.5))
            polygon([(x + (dx + 5 * math.cos(t)) * size, foot - (47 + 6 * math.sin(t)) * size)
                     for t in np.linspace(0, 6.2, 9)], shade((0.72, 0.54, 0.42), 0.6))

    p.build(draw, max(3, 9 * size), 1.3, 0.5)


def terraces(p):
    """A villa above a vineyard."""
    light = p.light
    p.sky(470, 0.8, sun=(1010, 300) if light.low else None)
    if not light.low:
        p.cumulus(330, 290, 280, 10)
        p.cumulus(1080, 250, 200, 8)
    p.ridge(360, 160, 520, (0.40, 0.46, 0.58), 0.68, bottom=640)
    p.ridge(420, 110, 420, (0.38, 0.48, 0.48), 0.5, bottom=640)
    p.ridge(455, 60, 300, (0.40, 0.48, 0.30), 0.32, rough=10, bottom=700, tree=7)
    crest = 470 - 70 * np.exp(-(((p.x[0] - 560) / 330)**2)) + p.profile(0, 10, 200)

    def villa(polygon):
        wall, dim, roof = (light.far(light.lit((0.94, 0.80, 0.58), 0.85),
                                     0.06), light.far(light.lit((0.94, 0.80, 0.58), 0.18),
                                                      0.06), light.lit((0.66, 0.42, 0.32), 0.7))
        first, second = (wall, dim) if light.side < 0 else (dim, wall)
        polygon([(470, 415), (470, 330), (560, 330), (560, 415)], first)
        polygon([(560, 415), (560, 345), (680, 345), (680, 415)], second)
        polygon([(458, 333), (484, 306), (548, 306), (572, 333)], roof)
        polygon([(556, 348), (570, 322), (664, 322), (692, 348)], light.lit((0.66, 0.42, 0.32), 0.45))
        polygon([(598, 345), (598, 268), (632, 268), (632, 345)], first)
        polygon([(632, 345), (632, 268), (646, 272), (646, 345)], second)
        polygon([(592, 270), (620, 244), (652, 273)], roof)
        for x in (482, 508, 534):
            for y in (342, 378):
                polygon([(x, y), (x + 12, y), (x + 12, y + 20), (x, y + 20)], light.lit((0.26, 0.24, 0.24), 0.4))
        for x in (578, 606, 634, 658):
            polygon([(x, 392), (x, 370), (x + 6, 363), (x + 12, 370), (x + 12, 392)],
                    light.lit((0.26, 0.22, 0.2), 0.4))
        polygon([(608, 296), (608, 284), (613, 279), (618, 284), (618, 296)], light.lit((0.2, 0.18, 0.2), 0.3))

    for x, foot, tall in ((380, 428, 130), (408, 422, 165), (436, 420, 140), (708, 420, 150), (740, 426, 175),
                          (772, 436, 140)):
        cypress(p, x, foot, tall, 0.08)
    p.build(villa, 6)
    levels = [408 + 562 * (i / 8)**1.32 for i in range(9)]
    for number, level in enumerate(levels):
        part = number / 8
        line = level + (crest - 470 + 62) * (1 - part)**0.7 * 1.0 + p.profile(0, 8 + 10 * part, 240)
        if number == 0:
            line = crest
        p.grass(line, (0.44, 0.52, 0.22), (0.62, 0.58, 0.30), 8 + 26 * part, density=0.8)
        if number:
            wall = 9 + 22 * part
            count = int(p.width / (3 + 4 * part)) * 3
            x = p.random.random_sample(count) * p.width
            u = p.random.random_sample(count)
            tone = mix((0.72, 0.62, 0.48), (0.56, 0.50, 0.44), p.random.random_sample(count))
            tone = light.far(light.lit([1, 1, 1], 0.25 + 0.6 * u) * tone, 0.22 * (1 - part))
            p.strokes(x, line[x.astype(int)] + wall * (1 - u), 8 + 14 * part, 5 + 6 * part, 0,
                      p.jitter(tone, 0.07, 0.02), 0.85)
        # Vines in rows along the terrace.
        step = 16 + 38 * part
        for x in np.arange(-step, p.width + step, step) + step * 0.3 * p.random.standard_normal():
            y = line[int(np.clip(x, 0, p.width - 1))] - 4 - 8 * part
            if number == 0 and 440 < x < 720:
                continue
            p.crown(x, y - 8 - 20 * part, step * 0.56, 10 + 26 * part,
                    mix((0.46, 0.60, 0.26), (0.60, 0.54, 0.24),
                        p.random.random_sample() * 0.7), 4 + 6 * part, 5, 0.16 * (1 - part), 0.9)
    cypress(p, 1120, 890, 560, 0)
    cypress(p, 1205, 920, 470, 0)
    p.tree(130, 925, 430, (0.52, 0.60, 0.40), 10, 0, 190, 18, 0.05)


def cypress(p, x, foot, tall, distance):
    """A cypress whose foot is at (x, foot)."""
    light = p.light
    p.shadow(x, foot, tall * 0.12, max(4, tall * 0.02))
    count = int(tall * 6) + 60
    part = p.random.random_sample(count)**0.8
    p.trunk([(x, foot + tall * 0.03), (x, foot - tall * 0.1)], tall * 0.03)
    reach = (tall * 0.088 * np.minimum(1, part * 1.9)**0.75 * (1 - 0.45 * np.clip(part - 0.6, 0, 1)**1.5) *
             (0.92 + 0.12 * np.sin(part * 23 + x)))
    side = p.random.random_sample(count) * 2 - 1
    shine = np.clip(0.22 + 0.5 * side * light.side + 0.18 * p.random.standard_normal(count), 0, 1)
    order = np.argsort(shine + 0.4 * p.random.random_sample(count))
    tone = light.far(light.lit([1, 1, 1], shine) * mix((0.16, 0.28, 0.20), (0.34, 0.42, 0.20), shine), distance)
    p.strokes((x + side * reach)[order], (foot - tall * (1 - part))[order], max(7, tall * 0.06),
              max(3, tall * 0.016), math.pi / 2 + 0.22 * side[order], p.jitter(tone[order], 0.06, 0.02), 0.85)


def houses(p):
    """Gabled houses on a canal."""
    light = p.light
    lamps = 0.5 if light.low else 0.0
    p.sky(760, 0.9)
    if not light.low:
        p.cumulus(300, 330, 330, 12)
        p.cumulus(800, 220, 220, 8)
    quay = 940
    fronts = ((0.58, 0.27, 0.20), (0.82, 0.74, 0.62), (0.42, 0.22, 0.18), (0.30, 0.36, 0.34), (0.68, 0.38, 0.24),
              (0.50, 0.26, 0.2))
    edges = (-40, 150, 322, 500, 668, 842, 1010)
    tops = (470, 390, 520, 410, 480, 430)
    for number, (left, right) in enumerate(zip(edges, edges[1:])):
        facade(p, left, right, tops[number], quay - 34, fronts[number], number, lamps)

    def street(polygon):
        polygon([(-10, quay - 36), (970, quay - 36), (970, quay), (-10, quay)], light.lit((0.56, 0.50, 0.46), 0.55))
        polygon([(-10, quay - 8), (970, quay - 8), (970, quay + 8), (-10, quay + 8)],
                light.lit((0.72, 0.66, 0.58), 0.75))
        polygon([(-10, quay + 8), (970, quay + 8), (970, quay + 44), (-10, quay + 44)],
                light.lit((0.36, 0.30, 0.28), 0.25))

    p.build(street, 10)
    for x in (236, 745):
        p.trunk([(x, quay - 8), (x, quay - 150)], 7, (0.14, 0.16, 0.16), taper=0.2)
        p.glow(x, quay - 160, 70, light.glow, 0.6 if light.low else 0.05)
        p.strokes([x, x], [quay - 160, quay - 172], [20, 14], [13, 8], [1.57, 0],
                  [mix(light.glow,
                       (1, 1, 1), 0.3), light.lit((0.15, 0.16, 0.16), 0.3)], 1)
    p.tree(560, quay - 10, 430, LIME, 11, 0, 120, 14)
    p.tree(60, quay - 10, 380, GREEN, 11, 0, 105, 14)
    p.water(quay + 40, (0.16, 0.24, 0.24), 0.3, 0.8)
    if light.low:
        for x in (236, 745):
            p.glitter(x, quay + 50, 1270, 12, 110, light.glow, 0.6)
    skiff(p, 700, 1090)


def skiff(p, x, y):
    """A rowing boat."""
    light = p.light

    def draw(polygon):
        rim = [(x - 150, y - 24), (x - 100, y - 12), (x, y - 6), (x + 110, y - 11), (x + 165, y - 26)]
        back = [(x + 165, y - 26), (x + 90, y - 25), (x, y - 24), (x - 90, y - 24), (x - 150, y - 24)]
        polygon(rim + back, light.lit((0.46, 0.32, 0.22), 0.4))
        for dx in (-70, 20, 95):
            polygon([(x + dx - 9, y - 24), (x + dx + 9, y - 24), (x + dx + 12, y - 9), (x + dx - 12, y - 9)],
                    light.lit((0.74, 0.56, 0.38), 0.8))
        polygon(rim + [(x + 150, y - 2), (x + 112, y + 20), (x - 108, y + 20), (x - 138, y)],
                light.lit((0.20, 0.33, 0.36), 0.5))
        polygon(rim + [(px, py + 6) for px, py in reversed(rim)], light.lit((0.93, 0.89, 0.80), 0.85))
        polygon([(x - 120, y + 11), (x + 124, y + 11), (x + 112, y + 20), (x - 108, y + 20)],
                light.lit((0.14, 0.2, 0.22), 0.2))

    count = 500
    part = p.random.random_sample(count)
    p.strokes(x + (150 - 60 * part) * (p.random.random_sample(count) * 2 - 1), y + 14 + 70 * part, 40, 6, 0,
              p.jitter(np.tile(light.lit((0.12, 0.17, 0.18), 0.3), (count, 1)), 0.06, 0.02), 0.5 * (1 - part))
    p.build(draw, 8)


def facade(p, left, right, top, foot, color, number, lamps):
    """A narrow house with a stepped gable, a bell gable or a cornice."""
    light = p.light
    middle, wide = (left + right) / 2, right - left

    def draw(polygon):
        wall = light.lit(color, 0.62 + 0.1 * (number % 3))
        white, pane, roof = (light.lit((0.94, 0.92, 0.87), 0.8), light.lit(
            (0.20, 0.25, 0.30), 0.35), light.lit((0.35, 0.24, 0.22), 0.3))
        polygon([(left + 8, top + 30), (middle - 12, top - 100), (middle + 12, top - 100), (right - 8, top + 30)],
                roof)
        half = wide / 2
        if number % 3 == 0:
            # A stepped gable.
            shape = []
            for step in range(5):
                u, y = half * (1 - step * 0.2), top - step * 26
                shape += [(-u, y), (-u, y - 26)]
            outline = shape + [(-u, y) for u, y in reversed(shape)]
            polygon([(middle + u, y) for u, y in [(-half, foot)] + outline + [(half, foot)]], wall)
            for step in range(5):
                u, y = half * (1 - step * 0.2), top - step * 26 - 26
                for s in (-1, 1):
                    a, b = sorted((middle + s * u, middle + s * (u - half * 0.2)))
                    polygon([(a - 1, y - 5), (b + 1, y - 5), (b + 1, y + 2), (a - 1, y + 2)], white)
        elif number % 3 == 1:
            # A bell gable with a cornice.
            curve = [(half * (0.98 - 0.42 * smooth(0, 1, t) - 0.1 * t), top - 96 * t)
                     for t in np.linspace(0, 1, 12)]
            polygon([(left, foot), (left, top)] + [(middle - u, y) for u, y in curve] + [(middle, top - 124)] +
                    [(middle + u, y) for u, y in curve[::-1]] + [(right, top), (right, foot)], wall)
            for s in (-1, 1):
                polygon([(middle + s * u, y) for u, y in curve] + [(middle + s * (u - 8), y + 2)
                                                                   for u, y in curve[::-1]], white)
            polygon([(middle - half * 0.48, top - 94), (middle, top - 128), (middle + half * 0.48, top - 94)],
                    white)
            polygon([(middle - half * 0.36, top - 97), (middle, top - 118), (middle + half * 0.36, top - 97)], wall)
        else:
            polygon([(left, foot), (left, top - 30), (right, top - 30), (right, foot)], wall)
            polygon([(left - 4, top - 44), (right + 4, top - 44), (right + 4, top - 32), (left - 4, top - 32)],
                    white)
            polygon([(left, top - 32), (right, top - 32), (right, top - 22), (left, top - 22)],
                    light.lit(color, 0.1))
        polygon([(left, top - 10), (left + 3, top - 10), (left + 3, foot), (left, foot)], light.lit(color, 0.05))
        columns = 3 if wide > 172 else 2
        floors = np.linspace(top + 22, foot - 118, 4)
        if number % 3 != 2:
            window(polygon, middle - 11, top - 62, 22, 40, (1, 0.80, 0.45) if lamps and number % 2 else pane, white)
        for row, y in enumerate(floors):
            tall = (58, 72, 76, 84)[row]
            for column in range(columns):
                x = left + wide * (column + 0.5) / columns - wide * 0.1
                if row == 3 and column == number % columns:
                    continue
                glows = p.random.random_sample() < lamps
                color_of_pane = (np.asarray(
                    (1, 0.78, 0.42)) * (0.8 + 0.2 * p.random.random_sample()) if glows else pane *
                                 (0.8 + 0.6 * p.random.random_sample()))
                window(polygon, x, y, wide * 0.2, tall, color_of_pane, white)
        x = left + wide * (number % columns + 0.5) / columns - wide * 0.11
        polygon([(x - 5, foot), (x - 5, foot - 124), (x + wide * 0.22 + 5, foot - 124),
                 (x + wide * 0.22 + 5, foot)], white)
        polygon([(x, foot), (x, foot - 92), (x + wide * 0.22, foot - 92), (x + wide * 0.22, foot)],
                light.lit(((0.12, 0.28, 0.22), (0.45, 0.14, 0.12), (0.15, 0.2, 0.32))[number % 3], 0.5))
        polygon([(x, foot - 98), (x, foot - 118), (x + wide * 0.22, foot - 118), (x + wide * 0.22, foot - 98)],
                (1, 0.8, 0.45) if lamps else pane)
        polygon([(left, foot - 10), (right, foot - 10), (right, foot), (left, foot)],
                light.lit((0.5, 0.46, 0.42), 0.4))

    p.build(draw, 8, 0, 0.45)


def town(p):
    """A town with lit windows across the water, under the moon."""
    light = p.light
    p.sky(600, 0.7)
    x, y = 930, 190
    stars = p.random.random_sample((240, 2)) * (p.width, 440)
    p.strokes(stars[:, 0], stars[:, 1], 3, 2 + 2 * p.random.random_sample(240)**4, 0, [(0.92, 0.93, 1)],
              0.35 + 0.6 * p.random.random_sample(240))
    p.glow(x, y, 330, mix(light.glow, light.horizon, 0.35), 0.5)
    moon = smooth(48, 44, np.hypot(p.x - x, p.y - y))
    p.rgb = mix(p.rgb, mix(light.glow, light.glow * 0.82, smooth(0.45, 0.6, p.noise(40))), moon)
    p.ridge(470, 200, 560, (0.30, 0.36, 0.52), 0.5, bottom=660)
    p.ridge(540, 90, 380, (0.22, 0.28, 0.42), 0.3, bottom=660)
    for foot, tall, wide, distance in ((560, 36, 66, 0.34), (590, 48, 86, 0.2), (622, 60, 104, 0.06)):
        spread = wide * 0.9
        starts = np.arange(140 + (622 - foot), p.width - 160, spread)
        for px in p.random.permutation(starts + spread * 0.2 * p.random.standard_normal(len(starts))):
            if p.random.random_sample() < 0.14:
                continue
            rise = 34 * math.exp(-(((px - 560) / 260)**2))
            house(p, px, foot - rise * (622 - foot) / 62 + 5 * p.random.standard_normal(),
                  wide * (0.8 + 0.35 * p.random.random_sample()), tall * (0.8 + 0.5 * p.random.random_sample()),
                  distance, 0.5, False)
        if foot == 560:
            spires(p, 540, 560, 0.16)
    for x2, tall in ((60, 200), (150, 140), (1170, 170), (1250, 220), (400, 60), (820, 70), (650, 60)):
        p.crown(x2, 640 - tall * 0.42, tall * 0.55, tall * 0.46, DEEP, 9, 12, 0.02)
    for px in (250, 420, 610, 790, 960):
        p.glow(px, 612, 46, (1, 0.78, 0.42), 0.55)
        p.strokes([px], [612], 9, 8, 0, [(1, 0.9, 0.6)], 1)
    p.water(640, (0.08, 0.12, 0.26), 0.22, 1.0)
    for px in (250, 420, 610, 790, 960):
        p.glitter(px, 648, 860, 7, 110, (1, 0.78, 0.42), 0.6)
    p.glitter(930, 700, 950, 34, 320, mix(light.glow, light.horizon, 0.2), 0.5)
    bank = p.profile(935, 40, 400) + np.linspace(-60, 60, p.width)
    p.grass(bank, (0.20, 0.28, 0.20), (0.26, 0.28, 0.2), 40)
    overhang(p, DEEP, (0.24, 0.2, 0.18))


MOTIFS = {
    "avenue": (avenue, True, 51, ("day", "morning")),
    "birches": (birches, True, 41, ("day", "evening")),
    "bridge": (bridge, False, 61, ("dusk", "morning")),
    "houses": (houses, True, 71, ("day", "dusk")),
    "lake": (lake, False, 11, ("day", "evening")),
    "meadow": (meadow, False, 21, ("day", "evening")),
    "mist": (mist, False, 31, ("morning", "dusk")),
    "park": (park, False, 91, ("day", "morning")),
    "rooftops": (rooftops, False, 101, ("evening", "day")),
    "sails": (sails, False, 111, ("day", "dusk")),
    "terraces": (terraces, False, 121, ("evening", "day")),
    "town": (town, False, 81, ("night", "dusk")),
}
PAINTINGS = [(name, number) for name in MOTIFS for number in (0, 1)]


def paint(name, number):
    """The painting of a motif in one of its lights; the second light also mirrors it."""
    function, is_portrait, seed, lights = MOTIFS[name]
    size = (SHORT, LONG) if is_portrait else (LONG, SHORT)
    painting = Painting(size, seed + number, LIGHTS[lights[number]])
    function(painting)
    return f"{name}-{lights[number]}", painting.finished(number == 1)


def encoded(image, share, most):
    """A WebP file of the image at a share of its size, as good as fits in the bytes."""
    image = image.resize((round(image.width * share), round(image.height * share)), Image.LANCZOS)
    for quality in range(68, 0, -4):
        file = io.BytesIO()
        image.save(file, "WEBP", quality=quality, method=6)
        if file.tell() <= most:
            break
    return file.getvalue()


def files(job):
    title, image = paint(*job)
    return {
        f"{title}.webp": encoded(image, 0.75, LARGE_BYTES),
        f"{title}-small.webp": encoded(image, 0.15, SMALL_BYTES),
    }


def difference(first, second):
    """The mean difference of two files in levels of 255."""
    first, second = (Image.open(io.BytesIO(file)).convert("RGB") for file in (first, second))
    if first.size != second.size:
        return 255.0
    return float(np.abs(np.asarray(first, np.float32) - np.asarray(second, np.float32)).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the folder with new paintings")
    parser.add_argument("--only", metavar="NAME", choices=MOTIFS, help="paint one motif")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()

    jobs = [job for job in PAINTINGS if arguments.only in (None, job[0])]
    with multiprocessing.Pool() as pool:
        painted = {name: file for part in pool.map(files, jobs, 1) for name, file in part.items()}

    if arguments.check:
        # Other versions of the libraries may round and encode differently.
        wrong = [
            name for name, file in painted.items()
            if not (arguments.folder /
                    name).exists() or difference(file, (arguments.folder / name).read_bytes()) > 2
        ]
        if arguments.only is None:
            wrong += [path.name for path in arguments.folder.iterdir() if path.name not in painted]
        if wrong:
            sys.exit(f"error: run script/data/paint; these differ: {' '.join(sorted(wrong))}")
        return
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, file in painted.items():
        (arguments.folder / name).write_bytes(file)
    total = sum(path.stat().st_size for path in arguments.folder.iterdir())
    print(f"{total} bytes in {arguments.folder}", file=sys.stderr)


if __name__ == "__main__":
    main()

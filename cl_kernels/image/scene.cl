// A picture to try filters on when no photo is at hand: spheres on a tiled floor before a brick wall, ray traced, with
// soft shadows, reflections, film grain and a few dead pixels. Edges, texture and noise as in a photo.
// Host side: lib/image/run.cpp
// Build    -D INDEX=uint|ulong
// NDRange  2-D, global = {width, height} or more, any local size
// Loops    4 samples * 3 rays * (3 * 6 spheres + 8 octaves of noise): under 400 per work-item
// Memory   writes width * height * 3 bytes
// Order    fixed: all chance comes from a hash of pixel, sample and seed; two devices may differ in the last bit of a float
// Needs    OpenCL C 1.2
// Source   ray tracing: T. Whitted, An Improved Illumination Model for Shaded Display, 1980; hash: C. Wellons, lowbias32
#pragma OPENCL FP_CONTRACT OFF

#define SAMPLES 4      // per pixel, on a 2 x 2 lattice with jitter
#define RAYS 3         // the camera's and two reflected ones
#define SPHERES 6
#define NOWHERE 1e9f   // distance of a ray that hits nothing
#define WALL_Z 5.0f
#define WALL_HEIGHT 3.1f

constant float4 kSphere[SPHERES] = {
    // centre, radius
    (float4)(0.15f, 1.05f, 1.10f, 1.05f), (float4)(-2.05f, 0.80f, 0.20f, 0.80f), (float4)(2.00f, 0.70f, -0.10f, 0.70f),
    (float4)(0.95f, 0.32f, -1.35f, 0.32f), (float4)(-0.70f, 0.38f, -1.20f, 0.38f), (float4)(3.60f, 1.00f, 2.60f, 1.00f)};
constant float4 kPaint[SPHERES] = {
    // red, green, blue; how much of the light is mirrored
    (float4)(0.90f, 0.92f, 0.95f, 0.82f), (float4)(0.90f, 0.84f, 0.72f, 0.04f), (float4)(0.78f, 0.10f, 0.08f, 0.10f),
    (float4)(0.12f, 0.45f, 0.20f, 0.08f), (float4)(0.95f, 0.70f, 0.25f, 0.45f), (float4)(0.16f, 0.28f, 0.62f, 0.06f)};
#define MARBLE 1  // the sphere whose paint is veined

typedef struct {
    float distance;
    float3 point;
    float3 normal;
    float3 colour;
    float mirror;
} Hit;

// --- chance ---------------------------------------------------------------------------------------------------------

uint mix_bits(uint bits) {
    bits ^= bits >> 16;
    bits *= 0x7feb352du;
    bits ^= bits >> 15;
    bits *= 0x846ca68bu;
    return bits ^ (bits >> 16);
}

uint hash_of(const int x, const int y, const uint salt) {
    return mix_bits((uint)x + mix_bits((uint)y + mix_bits(salt)));
}

// In [0, 1), exact: 24 bits fit a float.
float unit(const uint bits) { return (float)(bits >> 8) * (1.0f / 16777216.0f); }

// Smooth noise in [0, 1): chance at the corners of a unit lattice, blended between them.
float noise(const float2 at, const uint salt) {
    const float2 corner = floor(at);
    const int x = (int)corner.x;
    const int y = (int)corner.y;
    float2 t = at - corner;
    t = t * t * (3.0f - 2.0f * t);
    const float lower = mix(unit(hash_of(x, y, salt)), unit(hash_of(x + 1, y, salt)), t.x);
    const float upper = mix(unit(hash_of(x, y + 1, salt)), unit(hash_of(x + 1, y + 1, salt)), t.x);
    return mix(lower, upper, t.y);
}

// Four octaves of noise, in [0, 1).
float cloud(float2 at, const uint salt) {
    float sum = 0.0f;
    float weight = 0.5f;
    for (uint octave = 0; octave < 4; ++octave) {
        sum += weight * noise(at, salt + octave);
        at = at * 2.03f + 17.0f;
        weight *= 0.5f;
    }
    return sum * (1.0f / 0.9375f);
}

// --- surfaces -------------------------------------------------------------------------------------------------------

// A running bond: every other row of bricks is shifted by half a brick; each brick has its own tint, mortar between.
float3 brick_colour(const float2 at) {
    const float row = floor(at.y * 3.6f);
    const float along = at.x * 1.5f + 0.5f * (row - 2.0f * floor(0.5f * row));
    const float brick = floor(along);
    const float2 inside = (float2)(along - brick, at.y * 3.6f - row);
    const float2 to_edge = min(inside, 1.0f - inside) * (float2)(1.0f / 1.5f, 1.0f / 3.6f);
    const float wear = cloud(at * 7.0f, 11u);

    if (min(to_edge.x, to_edge.y) < 0.010f + 0.012f * wear) return (float3)(0.55f, 0.53f, 0.50f) * (0.55f + 0.55f * wear);
    const uint chance = hash_of((int)brick, (int)row, 12u);
    const float tint = unit(chance);
    const float3 clay = mix((float3)(0.50f, 0.19f, 0.12f), (float3)(0.68f, 0.36f, 0.24f), tint);
    return clay * (0.45f + 0.85f * wear);
}

// Square tiles, light and dark by turns, with grout and a grain of their own.
float3 tile_colour(const float2 at) {
    const float2 tile = floor(at);
    const float2 inside = at - tile;
    const float2 to_edge = min(inside, 1.0f - inside);
    const int x = (int)tile.x;
    const int y = (int)tile.y;
    if (min(to_edge.x, to_edge.y) < 0.012f) return (float3)(0.10f, 0.09f, 0.08f);

    const float tint = 0.85f + 0.25f * unit(hash_of(x, y, 21u));
    const float grain = cloud(at * 5.0f + 31.0f * unit(hash_of(x, y, 22u)), 23u);
    const float3 light = (float3)(0.74f, 0.69f, 0.60f) * (0.72f + 0.42f * grain);
    const float3 dark = (float3)(0.16f, 0.18f, 0.20f) * (0.55f + 0.95f * grain);
    return tint * ((x + y) & 1 ? light : dark);
}

// Veins run where warped noise crosses one half.
float3 marble_colour(const float3 normal) {
    const float2 at = (float2)(normal.x + 0.6f * normal.z, normal.y - 0.4f * normal.z) * 2.2f;
    const float warp = cloud(at + 5.0f, 31u);
    const float vein = fabs(cloud(at + 2.5f * warp, 35u) - 0.5f);
    return mix((float3)(0.30f, 0.22f, 0.18f), (float3)(0.93f, 0.89f, 0.82f), clamp(vein * 14.0f, 0.0f, 1.0f));
}

float3 sky_colour(const float3 direction) {
    const float height = max(direction.y, 0.0f);
    const float3 blue = mix((float3)(0.62f, 0.74f, 0.88f), (float3)(0.16f, 0.34f, 0.66f), min(height * 2.2f, 1.0f));
    const float2 at = direction.xz * (1.6f / (height + 0.25f));
    const float cover = clamp((cloud(at * 1.7f, 41u) - 0.42f) * 3.6f, 0.0f, 1.0f);
    return mix(blue, (float3)(0.97f, 0.96f, 0.95f), cover * 0.9f);
}

// --- rays -----------------------------------------------------------------------------------------------------------

// Distance to the nearest sphere along the ray, and which one.
float nearest_sphere(const float3 origin, const float3 direction, int* which) {
    float nearest = NOWHERE;
    for (int i = 0; i < SPHERES; ++i) {
        const float3 to_centre = kSphere[i].xyz - origin;
        const float along = dot(to_centre, direction);
        const float discriminant = along * along - dot(to_centre, to_centre) + kSphere[i].w * kSphere[i].w;
        if (discriminant <= 0.0f) continue;
        const float distance = along - sqrt(discriminant);
        if (distance > 1e-3f && distance < nearest) {
            nearest = distance;
            *which = i;
        }
    }
    return nearest;
}

Hit first_hit(const float3 origin, const float3 direction) {
    Hit hit;
    int sphere = 0;
    hit.distance = nearest_sphere(origin, direction, &sphere);
    const float to_floor = direction.y < 0.0f ? -origin.y / direction.y : NOWHERE;
    const float to_wall = direction.z > 0.0f ? (WALL_Z - origin.z) / direction.z : NOWHERE;
    const bool wall_is_there = to_wall > 1e-3f && origin.y + to_wall * direction.y < WALL_HEIGHT;

    hit.normal = (float3)(0.0f);
    hit.colour = (float3)(0.0f);
    hit.mirror = 0.0f;
    if (hit.distance < NOWHERE) {
        hit.point = origin + hit.distance * direction;
        hit.normal = (hit.point - kSphere[sphere].xyz) / kSphere[sphere].w;
        hit.colour = sphere == MARBLE ? marble_colour(hit.normal) : kPaint[sphere].xyz;
        hit.mirror = kPaint[sphere].w;
    } else if (wall_is_there && to_wall < to_floor) {
        hit.distance = to_wall;
        hit.point = origin + to_wall * direction;
        hit.normal = (float3)(0.0f, 0.0f, -1.0f);
        hit.colour = brick_colour(hit.point.xy);
    } else if (to_floor > 1e-3f && to_floor < 60.0f) {
        hit.distance = to_floor;
        hit.point = origin + to_floor * direction;
        hit.normal = (float3)(0.0f, 1.0f, 0.0f);
        hit.colour = tile_colour(hit.point.xz);
        hit.mirror = 0.10f;
    }
    hit.point = origin + hit.distance * direction;
    return hit;
}

// How much of the sky the spheres leave free over a point: darkens the floor where they touch it.
float openness(const float3 point, const float3 normal) {
    float open = 1.0f;
    for (int i = 0; i < SPHERES; ++i) {
        const float3 to_centre = kSphere[i].xyz - point;
        const float squared = dot(to_centre, to_centre);
        const float radius = kSphere[i].w;
        if (squared <= radius * radius * 1.0001f) continue;  // the point is on this sphere
        const float facing = max(dot(normal, to_centre), 0.0f);
        open -= facing * radius * radius / (squared * sqrt(squared)) * 0.9f;
    }
    return max(open, 0.15f);
}

float3 shade(const Hit hit, const float3 direction, const float3 to_sun) {
    const float3 sun_colour = (float3)(1.80f, 1.60f, 1.30f);
    const float3 sky_light = (float3)(0.24f, 0.29f, 0.37f) * openness(hit.point, hit.normal);
    float facing = max(dot(hit.normal, to_sun), 0.0f);
    int ignored = 0;
    if (facing > 0.0f && nearest_sphere(hit.point + 1e-3f * hit.normal, to_sun, &ignored) < NOWHERE) facing = 0.0f;

    float gloss = 0.0f;
    if (facing > 0.0f && hit.mirror > 0.0f) {
        const float3 reflected = direction - 2.0f * dot(direction, hit.normal) * hit.normal;
        gloss = max(dot(reflected, to_sun), 0.0f);
        for (int i = 0; i < 6; ++i) gloss *= gloss;  // to the 64th power
    }
    return hit.colour * (sky_light + facing * sun_colour) + 1.2f * gloss * sun_colour * min(4.0f * hit.mirror, 1.0f);
}

float3 trace(float3 origin, float3 direction, const float3 to_sun) {
    float3 light = (float3)(0.0f);
    float3 weight = (float3)(1.0f);
    for (int ray = 0; ray < RAYS; ++ray) {
        const Hit hit = first_hit(origin, direction);
        if (hit.distance >= NOWHERE) return light + weight * sky_colour(direction);

        // Schlick's rule: surfaces mirror more the flatter one looks along them.
        const float slant = 1.0f - min(fabs(dot(hit.normal, direction)), 1.0f);
        const float mirror = hit.mirror + (1.0f - hit.mirror) * hit.mirror * slant * slant * slant * slant;
        light += weight * (1.0f - mirror) * shade(hit, direction, to_sun);
        weight *= mirror * mix((float3)(1.0f), hit.colour, hit.mirror);  // polished metal tints what it mirrors
        if (mirror < 0.01f) break;
        origin = hit.point + 1e-3f * hit.normal;
        direction -= 2.0f * dot(direction, hit.normal) * hit.normal;
    }
    return light;
}

// --- film -----------------------------------------------------------------------------------------------------------

// Light to the u8 of the picture: a shoulder for the highlights, gamma 2, grain, and now and then a dead pixel.
uchar3 develop(float3 light, const uint chance) {
    light = max(light, (float3)(0.0f));
    light = light * (0.85f + light * 0.20f) / (1.0f + light * 0.55f);
    float3 value = 255.0f * sqrt(light);

    const float3 first = (float3)(unit(mix_bits(chance + 1)), unit(mix_bits(chance + 2)), unit(mix_bits(chance + 3)));
    const float3 second = (float3)(unit(mix_bits(chance + 4)), unit(mix_bits(chance + 5)), unit(mix_bits(chance + 6)));
    value += 9.0f * (first - second);
    if (chance % 700 == 0) value = (float3)(chance & 1024 ? 250.0f : 6.0f);
    return convert_uchar3(clamp(value + 0.5f, (float3)(0.0f), (float3)(255.0f)));
}

kernel void scene(global uchar* restrict dst,             // [height][width][3]
                  const uint width, const uint height,    // pixels
                  const uint seed) {                      // of grain and jitter
    const uint x = (uint)get_global_id(0);
    const uint y = (uint)get_global_id(1);
    if (x >= width || y >= height) return;

    const float3 eye = (float3)(-0.25f, 1.75f, -6.2f);
    const float scale = 1.0f / min((float)height, 0.5625f * (float)width);  // the middle 16:9 is always in view
    const uint pixel = hash_of((int)x, (int)y, seed);

    float3 light = (float3)(0.0f);
    for (uint sample = 0; sample < SAMPLES; ++sample) {
        const uint chance = mix_bits(pixel + 977u * sample);
        const float2 jitter = (float2)(unit(chance), unit(mix_bits(chance)));
        const float2 in_pixel = ((float2)((float)(sample & 1), (float)(sample >> 1)) + jitter) * 0.5f;
        const float u = ((float)x + in_pixel.x - 0.5f * (float)width) * scale;
        const float v = (0.5f * (float)height - (float)y - in_pixel.y) * scale;
        const float3 direction = normalize((float3)(u * 1.05f, v * 1.05f - 0.10f, 1.0f));
        const float3 to_sun = normalize((float3)(-0.85f + 0.09f * jitter.y, 0.72f, -0.38f + 0.09f * jitter.x));
        light += trace(eye, direction, to_sun);
    }

    const uchar3 developed = develop(light * (1.0f / SAMPLES), mix_bits(pixel + 0x5eedu));
    vstore3(developed, 0, dst + ((INDEX)y * width + x) * 3);
}

// Draws with WebGL 2: frames lie in a texture, so that one call draws all solids.
const SOLID = `#version 300 es
precision highp float; precision highp sampler2D;
in vec3 p; in vec3 n; in vec3 c; in float owner;
uniform mat4 camera; uniform sampler2D frames; uniform vec4 plane; uniform vec3 light; uniform float flatten;
out vec3 normal; out vec3 colour; out vec3 place;
void main() {
  int k = int(owner) * 3; ivec2 w = textureSize(frames, 0);
  vec4 a = texelFetch(frames, ivec2(k % w.x, k / w.x), 0); k++;
  vec4 b = texelFetch(frames, ivec2(k % w.x, k / w.x), 0); k++;
  vec4 d = texelFetch(frames, ivec2(k % w.x, k / w.x), 0);
  mat3 r = mat3(a.xyz, vec3(a.w, b.xy), vec3(b.zw, d.x));
  vec3 q = r * p + d.yzw;
  if (flatten > 0.5) q -= light * ((dot(plane.xyz, q) - plane.w) / dot(plane.xyz, light));
  vec3 s = vec3(dot(r[0], r[0]), dot(r[1], r[1]), dot(r[2], r[2]));
  normal = r * (n / max(s, 1e-30)); colour = c; place = q;
  gl_Position = camera * vec4(q, 1.0);
}`;
const SOLID_PAINT = `#version 300 es
precision highp float;
in vec3 normal; in vec3 colour; in vec3 place;
uniform vec3 right; uniform vec3 up; uniform vec3 towards; uniform vec3 eye; uniform float ortho; uniform vec4 tint;
out vec4 paint;
void main() {
  if (tint.a > 0.0) { paint = tint; return; }
  vec3 n = normalize(normal), v = ortho > 0.5 ? towards : normalize(eye - place);
  if (dot(n, v) < 0.0) n = -n;
  vec3 key = normalize(towards * 0.75 + up * 0.8 - right * 0.55), fill = normalize(towards * 0.5 + right - up * 0.2);
  float light = 0.58 + 0.52 * max(dot(n, key), 0.0) + 0.14 * max(dot(n, fill), 0.0) + 0.06 * dot(n, up);
  float shine = pow(max(dot(n, normalize(key + v)), 0.0), 48.0) * 0.22;
  float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0) * 0.16;
  paint = vec4(colour * light * (1.0 - rim) + shine, 1.0);
}`;
const LINE = `#version 300 es
precision highp float; precision highp sampler2D;
in vec2 corner; in vec3 a; in vec3 b; in vec4 c; in vec2 more;
uniform mat4 camera; uniform sampler2D frames; uniform vec2 size; uniform float ratio;
out vec4 colour;
vec3 carry(vec3 p) {
  int k = int(more.y) * 3; ivec2 w = textureSize(frames, 0);
  vec4 x = texelFetch(frames, ivec2(k % w.x, k / w.x), 0); k++;
  vec4 y = texelFetch(frames, ivec2(k % w.x, k / w.x), 0); k++;
  vec4 z = texelFetch(frames, ivec2(k % w.x, k / w.x), 0);
  return mat3(x.xyz, vec3(x.w, y.xy), vec3(y.zw, z.x)) * p + z.yzw;
}
void main() {
  vec4 from = camera * vec4(carry(a), 1.0), to = camera * vec4(carry(b), 1.0);
  vec2 s = from.xy / from.w * size, e = to.xy / to.w * size, d = e - s;
  float l = length(d); d = l > 0.0 ? d / l : vec2(1, 0);
  vec4 at = corner.x > 0.5 ? to : from;
  // Half a pixel beyond each end closes the gaps between segments.
  vec2 off = (vec2(-d.y, d.x) * corner.y + d * (corner.x * 2.0 - 1.0) * 0.3) * more.x * ratio;
  gl_Position = at + vec4(off / size * at.w, -0.00002 * at.w, 0.0);
  colour = c;
}`;
const LINE_PAINT = `#version 300 es
precision highp float; in vec4 colour; out vec4 paint; void main() { paint = colour; }`;

class WebGL {
  // Whether a graphics card draws. Browsers say where it does not; some only by its name.
  static quick() {
    const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    if (!gl) return false;
    const more = gl.getExtension('WEBGL_debug_renderer_info'), name = String(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  }

  // The renderer, or null where the browser has no WebGL 2.
  static make(canvas, drawing) {
    const gl = canvas.getContext('webgl2', { antialias: drawing.data.bodies.length < 150, alpha: true, stencil: true });
    return gl ? new WebGL(gl, drawing) : null;
  }

  constructor(gl, drawing) {
    this.gl = gl;
    this.solid = this.program(SOLID, SOLID_PAINT); this.line = this.program(LINE, LINE_PAINT);
    this.take(drawing);
  }

  // Draws this from now on; what was drawn before is let go.
  take(drawing) {
    const { gl } = this;
    this.buffers?.forEach(b => gl.deleteBuffer(b)); this.buffers = [];
    if (this.frames) { gl.deleteTexture(this.frames); gl.deleteVertexArray(this.solids); gl.deleteVertexArray(this.segments); }
    this.drawing = drawing;
    this.width = 3 * 256;
    this.rows = Math.ceil(drawing.count * 3 / this.width);
    this.texels = new Float32Array(this.width * this.rows * 4);
    this.frames = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.frames);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, this.width, this.rows, 0, gl.RGBA, gl.FLOAT, null);
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
    this.solids = gl.createVertexArray();
    gl.bindVertexArray(this.solids);
    this.attribute(this.solid, 'p', drawing.points, 3, gl.FLOAT, false);
    this.attribute(this.solid, 'n', drawing.normals, 3, gl.FLOAT, false);
    this.attribute(this.solid, 'c', drawing.colours, 3, gl.UNSIGNED_BYTE, true);
    this.attribute(this.solid, 'owner', drawing.owners, 1, gl.FLOAT, false);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, drawing.triangles, gl.STATIC_DRAW);
    this.segments = gl.createVertexArray(); this.segmentBuffer = this.buffer(); this.segmentCount = 0;
    gl.bindVertexArray(this.segments);
    this.attribute(this.line, 'corner', new Float32Array([0, -0.5, 1, -0.5, 0, 0.5, 1, 0.5]), 2, gl.FLOAT, false);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.segmentBuffer);
    [['a', 3, 0], ['b', 3, 12], ['c', 4, 24], ['more', 2, 40]].forEach(([name, size, offset]) => {
      const at = gl.getAttribLocation(this.line, name);
      gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, size, gl.FLOAT, false, 48, offset); gl.vertexAttribDivisor(at, 1);
    });
    gl.bindVertexArray(null);
  }

  buffer() { const made = this.gl.createBuffer(); this.buffers.push(made); return made; }

  program(vertex, fragment) {
    const { gl } = this, program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text); gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  attribute(program, name, data, size, type, normalised) {
    const { gl } = this, at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer()); gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, size, type, normalised, 0, 0);
  }

  // Takes new lines.
  setLines(lines) {
    const { gl } = this, data = new Float32Array(lines.length * 12);
    lines.forEach(([a, b, c, alpha, width, frame], k) => data.set([...a, ...b, c[0] / 255, c[1] / 255, c[2] / 255, alpha, width, frame], 12 * k));
    gl.bindBuffer(gl.ARRAY_BUFFER, this.segmentBuffer); gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    this.segmentCount = lines.length;
  }

  draw(camera, show, dark, ratio) {
    const { gl, drawing } = this, { canvas } = gl;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0); gl.clearStencil(0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.texels.set(drawing.frames);
    gl.bindTexture(gl.TEXTURE_2D, this.frames);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, this.rows, gl.RGBA, gl.FLOAT, this.texels);
    const m = camera.matrix(), [right, up, towards] = camera.axes(), u = name => gl.getUniformLocation(this.solid, name);
    gl.enable(gl.BLEND); gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.DEPTH_TEST); gl.depthFunc(gl.LEQUAL);
    gl.useProgram(this.solid); gl.bindVertexArray(this.solids);
    gl.uniformMatrix4fv(u('camera'), false, m);
    for (const [name, v] of [['right', right], ['up', up], ['towards', towards], ['eye', camera.eye]]) gl.uniform3fv(u(name), v);
    gl.uniform1f(u('ortho'), camera.ortho ? 1 : 0);
    if (show.shadow && show.bodies !== false) {
      const { n, x, y, level } = drawing.floor, light = unit(add(add(mul(n, 1), mul(x, -0.28)), mul(y, drawing.data.planar ? 0.42 : -0.22)));
      gl.uniform4f(u('plane'), n[0], n[1], n[2], level); gl.uniform3fv(u('light'), light); gl.uniform1f(u('flatten'), 1);
      gl.uniform4f(u('tint'), 0, 0, 0, dark ? 0.34 : 0.13);
      gl.enable(gl.STENCIL_TEST); gl.stencilFunc(gl.EQUAL, 0, 255); gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR); gl.depthMask(false);
      gl.drawElements(gl.TRIANGLES, drawing.solid, gl.UNSIGNED_INT, 0);
      gl.disable(gl.STENCIL_TEST); gl.depthMask(true);
    }
    gl.uniform1f(u('flatten'), 0); gl.uniform4f(u('tint'), 0, 0, 0, 0);
    for (const [start, end] of drawing.ranges(show)) gl.drawElements(gl.TRIANGLES, end - start, gl.UNSIGNED_INT, 4 * start);
    if (this.segmentCount) {
      gl.useProgram(this.line); gl.bindVertexArray(this.segments);
      gl.uniformMatrix4fv(gl.getUniformLocation(this.line, 'camera'), false, m);
      gl.uniform2f(gl.getUniformLocation(this.line, 'size'), canvas.width / 2, canvas.height / 2);
      gl.uniform1f(gl.getUniformLocation(this.line, 'ratio'), ratio);
      gl.depthMask(false);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.segmentCount);
      gl.depthMask(true);
    }
    gl.bindVertexArray(null);
  }
}

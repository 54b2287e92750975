// Unpacks LZMA as `xz --format=lzma` makes it, a quarter smaller than what browsers unpack by themselves: a range coder whose bits are
// guessed from those before them, and matches of what came already. Each bit is written out where it is read: a function for it would
// keep range and code out of registers, and the page would begin later.
function unlzma(packed) {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length), own = packed[0], lc = own % 9, lp = (own / 9 | 0) % 5, pb = own / 45 | 0;
  const bad = () => new Error('the program in this page is damaged');
  if (packed.length < 18 || own > 224) throw bad();
  const known = view.getUint32(9, true) === 0, size = known ? view.getUint32(5, true) : 2 ** 31;
  // Where the guesses of each kind stand: flags, lengths of matches (new and repeated), places of matches, literals.
  const MATCH = 0, REP = 192, REP0 = 204, REP1 = 216, REP2 = 228, LONG = 240, SLOT = 432, SPECIAL = 688, ALIGN = 816, LENGTHS = 832, EACH = 514, LITERAL = LENGTHS + 2 * EACH;
  const P = new Uint16Array(LITERAL + (0x300 << lc + lp)).fill(1024), mask = (1 << pb) - 1, low = (1 << lp) - 1;
  let out = new Uint8Array(known ? size : packed.length * 4), room = out.length, n = 0, at = 18, code = view.getUint32(14), range = 0xffffffff;
  let state = 0, r0 = 0, r1 = 0, r2 = 0, r3 = 0, count = 0, p = 0, bound = 0, k = 0, d = 0, m = 0, base = 0, bits = 0, sum = 0, guess = 0;
  while (n < size) {
    if (at > packed.length + 8) throw bad();
    if (!known && n + 300 > room) { const more = new Uint8Array(room *= 2); more.set(out); out = more; }
    const place = n & mask;
    k = MATCH + (state << 4) + place; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
    if (d === 0) {
      base = LITERAL + 0x300 * (((n & low) << lc) + (n ? out[n - 1] >> 8 - lc : 0)); m = 1;
      // After a match the byte that would have gone on is a guess too.
      if (state >= 7) for (guess = out[n - r0 - 1]; m < 0x100;) {
        const g = guess >> 7 & 1;
        guess <<= 1;
        k = base + (1 + g << 8) + m; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
        m = m << 1 | d;
        if (g !== d) break;
      }
      while (m < 0x100) { k = base + m; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; } m = m << 1 | d; }
      out[n++] = m;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    k = REP + state; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
    const again = d;
    if (again) {
      k = REP0 + state; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
      if (d === 0) {
        k = LONG + (state << 4) + place; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
        if (d === 0) { state = state < 7 ? 9 : 11; if (r0 >= n) throw bad(); out[n] = out[n - r0 - 1]; n++; continue; }
      } else {
        let r = r1;
        k = REP1 + state; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
        if (d) { k = REP2 + state; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; } if (d) { r = r3; r3 = r2; } else r = r2; r2 = r1; }
        r1 = r0; r0 = r;
      }
    } else { r3 = r2; r2 = r1; r1 = r0; }
    // How long: three trees.
    const lengths = LENGTHS + again * EACH;
    k = lengths; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
    if (d === 0) { base = lengths + 2 + (place << 3); bits = 3; count = 2; } else {
      k = lengths + 1; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; }
      if (d === 0) { base = lengths + 130 + (place << 3); bits = 3; count = 10; } else { base = lengths + 258; bits = 8; count = 18; }
    }
    for (m = 1, sum = bits; sum; sum--) { k = base + m; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; } m = m << 1 | d; }
    count += m - (1 << bits);
    if (again) state = state < 7 ? 8 : 11; else {
      // How far back: a slot, then the rest of its bits.
      state = state < 7 ? 7 : 10; base = SLOT + (Math.min(count - 2, 3) << 6);
      for (m = 1, sum = 6; sum; sum--) { k = base + m; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; } m = m << 1 | d; }
      const slot = m - 64;
      r0 = slot;
      if (slot > 3) {
        bits = (slot >> 1) - 1; r0 = (2 | slot & 1) * 2 ** bits;
        if (slot < 14) base = SPECIAL + r0 - slot; else {
          for (sum = 0, bits -= 4; bits; bits--) { range >>>= 1; d = code >= range ? 1 : 0; if (d) code = code - range >>> 0; sum = (sum << 1 | d) >>> 0; if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; } }
          r0 += sum * 16; base = ALIGN; bits = 4;
        }
        for (m = 1, sum = 0; sum < bits; sum++) { k = base + m; p = P[k]; bound = Math.imul(range >>> 11, p) >>> 0; if (code < bound) { range = bound; P[k] = p + (2048 - p >> 5); d = 0; } else { range = range - bound >>> 0; code = code - bound >>> 0; P[k] = p - (p >> 5); d = 1; } if (range < 0x1000000) { range = range << 8 >>> 0; code = (code << 8 | packed[at++]) >>> 0; } m = m << 1 | d; r0 += d * 2 ** sum; }
      }
      if (r0 === 0xffffffff) break;
    }
    if (r0 >= n) throw bad();
    for (let from = n - r0 - 1, end = Math.min(n + count, known ? size : n + count); n < end;) out[n++] = out[from++];
  }
  return out.subarray(0, n);
}

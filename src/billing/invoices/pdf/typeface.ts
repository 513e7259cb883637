import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';

/**
 * The letters of the document. The fonts that every PDF reader has know western Europe only, so two cuts of
 * DejaVu go along: Latin with all accents, Cyrillic, Greek, Armenian, Georgian. A document holds the glyphs it uses.
 */
export type Typeface = {
  readonly regular: fontkit.Font;
  readonly bold: fontkit.Font;
  /** The code points that both cuts have. */
  readonly has: ReadonlySet<number>;
};

const FILES = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
};

let opened: Typeface | undefined;

/** Opened at the first invoice and kept: opening takes longer than drawing. */
export function typeface(): Typeface {
  opened ??= openBoth();
  return opened;
}

function openBoth(): Typeface {
  const regular = open(FILES.regular);
  const bold = open(FILES.bold);
  const inBold = new Set(bold.characterSet);
  return { regular, bold, has: new Set(regular.characterSet.filter((codePoint) => inBold.has(codePoint))) };
}

type LaidGlyph = { readonly id: number; readonly advanceWidth: number; readonly codePoints: number[] };
type Place = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };

function open(file: string): fontkit.Font {
  const font = fontkit.create(readFileSync(createRequire(import.meta.url).resolve(file)));
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`);
  return Object.assign(font, { layout: layoutOf(font) });
}

/**
 * One glyph per letter, instead of fontkit's shaping. Shaping remembers from earlier documents which letters a glyph
 * stood for, so that the same invoice could give other bytes and be copied as other text; it takes twice as long,
 * and is more code than should read what strangers write. The price: no kerning, and scripts that run from right to
 * left or join their letters are printed letter by letter.
 */
function layoutOf(font: fontkit.Font) {
  const known = new Map<string, LaidGlyph>();
  const glyphOf = (letter: string): LaidGlyph => {
    const codePoint = letter.codePointAt(0) ?? 0;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    const glyph = { id, advanceWidth, codePoints: [codePoint] };
    known.set(letter, glyph);
    return glyph;
  };
  return (text: string) => {
    const glyphs = Array.from(text, (letter) => known.get(letter) ?? glyphOf(letter));
    const positions = glyphs.map(({ advanceWidth }): Place => {
      return { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 };
    });
    return {
      glyphs,
      positions,
      // Asked after pdfkit has scaled the positions, so it cannot be a number made now.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

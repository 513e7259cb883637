import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import PDFDocument from 'pdfkit';

/** A4 in points. Content stays above the bottom margin; the footer is below it. */
export const LEFT = 50;
export const RIGHT = 545;
export const TOP = 50;
export const BOTTOM = 770;
export const FOOT = 790;

export type Style = { readonly cut: 'regular' | 'bold'; readonly size: number; readonly colour: string };

export const styles = {
  title: { cut: 'bold', size: 20, colour: '#1d2733' },
  name: { cut: 'bold', size: 11, colour: '#1d2733' },
  strong: { cut: 'bold', size: 9, colour: '#1d2733' },
  plain: { cut: 'regular', size: 9, colour: '#1d2733' },
  label: { cut: 'regular', size: 8, colour: '#5b6470' },
  link: { cut: 'regular', size: 9, colour: '#0b4f9e' },
  total: { cut: 'bold', size: 12, colour: '#1d2733' },
} as const satisfies Record<string, Style>;

const RULE = '#c6ccd3';
export const SHADE = '#f1f3f6';

export type Sheet = PDFKit.PDFDocument;

export function newSheet(info: PDFKit.DocumentInfo): Sheet {
  const sheet = new PDFDocument({
    size: 'A4',
    pdfVersion: '1.7',
    // Page breaks are ours; pdfkit would break in the middle of a row.
    margin: 0,
    bufferPages: true,
    // Keeps pdfkit from loading Helvetica.
    font: '',
    info,
    lang: 'et',
    displayTitle: true,
  });
  const { regular, bold } = typeface();
  for (const [cut, font] of Object.entries({ regular, bold })) {
    // pdfkit accepts an opened font as well as its bytes; its types allow only the bytes.
    sheet.registerFont(cut, font as unknown as Uint8Array);
  }
  return sheet;
}

type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
  readonly link?: string | undefined;
};

/** Writes a text into a column, wrapped, and returns the y below it. */
export function write(sheet: Sheet, text: string, style: Style, box: Box): number {
  if (text === '') return box.y;
  use(sheet, style);
  const { x, y, width, align = 'left', link } = box;
  const spare = width - sheet.widthOfString(text);
  if (spare < 0 || link !== undefined) {
    sheet.text(text, x, y, { width, align, ...(link !== undefined && { link, underline: true }) });
    return sheet.y;
  }
  // Most texts fit on one line, and pdfkit's line breaking takes half of the total time.
  const shift = { left: 0, center: spare / 2, right: spare }[align];
  sheet.text(text, x + shift, y, { lineBreak: false });
  return y + sheet.currentLineHeight(true);
}

export function heightOf(sheet: Sheet, text: string, style: Style, width: number): number {
  use(sheet, style);
  if (sheet.widthOfString(text) <= width) return sheet.currentLineHeight(true);
  return sheet.heightOfString(text, { width });
}

export function widthOf(sheet: Sheet, text: string, style: Style): number {
  return use(sheet, style).widthOfString(text);
}

export function rule(sheet: Sheet, y: number, from = LEFT): void {
  sheet.moveTo(from, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(RULE).stroke();
}

function use(sheet: Sheet, { cut, size, colour }: Style): Sheet {
  return sheet.font(cut, size).fillColor(colour);
}

/** Ends the document and collects its bytes. */
export function bytesOf(sheet: Sheet): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    sheet.on('data', (part: Buffer) => parts.push(part));
    sheet.on('end', () => resolve(Buffer.concat(parts)));
    sheet.on('error', reject);
    sheet.end();
  });
}

/**
 * The fonts of the document. The standard PDF fonts cover Western Europe only, so two fonts of DejaVu are embedded as
 * subsets: Latin with all accents, Cyrillic, Greek, Armenian, Georgian.
 */
export type Typeface = {
  readonly regular: fontkit.Font;
  readonly bold: fontkit.Font;
  /** The code points that both fonts have. */
  readonly has: ReadonlySet<number>;
};

const FILES = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
};

let opened: Typeface | undefined;

/** Opened at the first invoice and cached: opening takes longer than drawing. */
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
type GlyphPosition = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };

function open(file: string): fontkit.Font {
  const font = fontkit.create(readFileSync(createRequire(import.meta.url).resolve(file)));
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`);
  return Object.assign(font, { layout: layoutOf(font) });
}

/**
 * One glyph per character instead of fontkit's shaping. Shaping caches which characters a glyph represents across
 * documents, so the same invoice could give different bytes and copied text; it takes twice as long and runs more code
 * on untrusted input. The cost: no kerning, and right-to-left or joining scripts are printed as separate characters.
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
    const positions = glyphs.map(({ advanceWidth }): GlyphPosition => {
      return { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 };
    });
    return {
      glyphs,
      positions,
      // Read after pdfkit has scaled the positions, so it must be a getter.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

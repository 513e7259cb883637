import { extractLinks, extractTextItems, getMeta } from 'unpdf';

/** A piece of text where a reader of PDF finds it, in points from the lower left corner of its page. */
export type Piece = {
  readonly page: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type ReadPdf = {
  readonly pieces: readonly Piece[];
  /** Page by page; what stands on one line is parted by spaces, lines by line ends. */
  readonly pages: readonly string[];
  readonly links: readonly string[];
  readonly info: Readonly<Record<string, unknown>>;
};

/** Reads a document with another library, which does not know how it was made. */
export async function readPdf(pdf: Buffer): Promise<ReadPdf> {
  // The reader takes the bytes over and leaves them empty.
  const bytes = () => new Uint8Array(pdf);
  const { items } = await extractTextItems(bytes());
  const pieces = items.flatMap((found, page) =>
    found
      .filter(({ str }) => str.trim() !== '')
      .map(({ str, x, y, width, height }) => ({ page: page + 1, text: str, x, y, width, height })),
  );
  const { links } = await extractLinks(bytes());
  const { info } = await getMeta(bytes());
  return { pieces, pages: items.map((_, page) => textOf(pieces, page + 1)), links, info };
}

function textOf(pieces: readonly Piece[], page: number): string {
  const lines = new Map<number, Piece[]>();
  for (const piece of pieces) {
    if (piece.page !== page) continue;
    const y = [...lines.keys()].find((known) => Math.abs(known - piece.y) < 3) ?? piece.y;
    lines.set(y, [...(lines.get(y) ?? []), piece]);
  }
  return [...lines]
    .sort(([a], [b]) => b - a)
    .map(([, line]) =>
      line
        .sort((a, b) => a.x - b.x)
        .map(({ text }) => text.trim())
        .join(' '),
    )
    .join('\n');
}

/** Pairs of pieces that are printed over one another. */
export function overlaps(pieces: readonly Piece[]): [string, string][] {
  return pieces.flatMap((a, index) =>
    pieces
      .slice(index + 1)
      .filter(
        (b) => a.page === b.page && meet(a.x, a.width, b.x, b.width) && meet(a.y, a.height, b.y, b.height),
      )
      .map((b): [string, string] => [a.text, b.text]),
  );
}

/** Whether two stretches share more than the rounding of a point. */
function meet(a: number, aLong: number, b: number, bLong: number): boolean {
  return a + aLong - 1 > b && b + bLong - 1 > a;
}

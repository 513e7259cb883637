import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Graphviz } from '@hpcc-js/wasm-graphviz';

/** Sources are `<name>.dot`; the drawing of each lies beside it as `<name>.svg`. */
export const DIAGRAMS = path.join(import.meta.dirname, '../docs/diagrams');

export const diagramNames = (): string[] =>
  readdirSync(DIAGRAMS)
    .filter((file) => file.endsWith('.dot'))
    .map((file) => file.replace(/\.dot$/, ''));

/** Classes of the sources take their colours from here, so that a drawing is readable in light and dark. */
const STYLE = `svg{color-scheme:light dark;--text:#17212b;--line:#52616f;--plain:#fff;--group:#eef2f5;--core:#d8e8f6;--process:#e0f0e3;--store:#f3ead6;--refusal:#f9dede}
@media (prefers-color-scheme:dark){svg{--text:#e8edf1;--line:#93a3b1;--plain:#1b232b;--group:#222c35;--core:#16405f;--process:#1d4629;--store:#4d3f1c;--refusal:#5c2626}}
text{fill:var(--text)}
.cluster polygon{fill:var(--group);stroke:none}
.node polygon,.node path{fill:var(--plain);stroke:var(--line)}
.core polygon,.core path{fill:var(--core)}
.process polygon,.process path{fill:var(--process)}
.store polygon,.store path{fill:var(--store)}
.refusal polygon,.refusal path{fill:var(--refusal)}
.edge path{fill:none;stroke:var(--line)}
.edge polygon{fill:var(--line);stroke:var(--line)}`;

/** Texts are laid out larger than they are shown: the reader's font may be wider than Helvetica. */
const SHOWN_SIZE = 6 / 7;

/** The drawing of a source. Its first line, a comment, becomes the title that screen readers say. */
export async function drawDiagram(dot: string): Promise<string> {
  const title = /^\/\/ (.+)/.exec(dot)?.[1];
  if (title === undefined) throw new Error('the first line of a diagram is its title: // …');
  const graphviz = await Graphviz.load();
  const drawn = graphviz.dot(dot);
  const [, width, height] = /viewBox="0\.00 0\.00 ([\d.]+) ([\d.]+)"/.exec(drawn) ?? [];
  const content = drawn
    .slice(drawn.indexOf('>', drawn.indexOf('<svg')) + 1)
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .replace(/<title>.*?<\/title>\n?/g, '')
    .replace(/<polygon fill="white" stroke="none"[^>]*\/>\n?/, '')
    .replace(/(?<=font-size=")[\d.]+/g, (size) => String(Math.round(Number(size) * SHOWN_SIZE * 10) / 10))
    .replace(/ (?:id|xml:space|fill|stroke)="[^"]*"/g, '');
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${Number(width)}" height="${Number(height)}" viewBox="0 0 ${Number(width)} ${Number(height)}">
<title>${title}</title>
<style>
${STYLE}
</style>${content}`;
}

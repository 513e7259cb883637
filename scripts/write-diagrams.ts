import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DIAGRAMS, diagramNames, drawDiagram } from './draw-diagram.ts';

/** `npm run diagrams`: draws every docs/diagrams/*.dot again. */
for (const name of diagramNames()) {
  const dot = readFileSync(path.join(DIAGRAMS, `${name}.dot`), 'utf8');
  writeFileSync(path.join(DIAGRAMS, `${name}.svg`), await drawDiagram(dot));
}

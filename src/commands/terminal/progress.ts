import { commandEnvironment } from '../../platform/config/command-environment.ts';
import { escapeInvisible } from '../../platform/values/normalise-text.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

type ProgressOutput = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

/** Shows elapsed time at a terminal, and what the work says it does; prints nothing to scripts and files. */
export async function withProgress<T>(
  what: string,
  work: (show: (what: string) => void) => Promise<T>,
  output: ProgressOutput = commandEnvironment().stderr,
): Promise<T> {
  if (!output.isTTY) return work(() => {});
  const started = performance.now();
  let frame = 0;
  let current = what;
  const draw = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    output.write(
      `${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length]} ${escapeInvisible(current)} (${seconds} s)`,
    );
  };
  draw();
  const ticking = setInterval(draw, FRAME_MS);
  try {
    return await work((now) => {
      current = now;
    });
  } finally {
    clearInterval(ticking);
    output.write(CLEAR_LINE);
  }
}

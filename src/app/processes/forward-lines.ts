import type { Readable, Writable } from 'node:stream';

/** Forwards a stream in whole lines, so that those of several streams do not mix within a line. */
export function forwardLines(from: Readable | null, to: Writable): void {
  let rest = '';
  from?.setEncoding('utf8');
  from?.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) {
      rest += text;
      return;
    }
    const whole = rest + text.slice(0, end);
    rest = text.slice(end);
    if (to.write(whole)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from?.on('end', () => rest !== '' && to.write(`${rest}\n`));
}

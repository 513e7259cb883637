const WIDTH = 30;

/** How far things are, on standard error: a bar that moves on a terminal, and now and then a line elsewhere. */
export class Bar {
  readonly #out: NodeJS.WriteStream;
  #shown = '';
  #tenth = -1;

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
  }

  show(what: string, done: number, all: number): void {
    const share = all === 0 ? 1 : done / all;
    const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
    const text = `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${what}`;
    if (this.#out.isTTY) this.#draw(text, done >= all);
    else this.#showTenths(text, Math.floor(share * 10));
  }

  /** A line of its own; the bar moves on below it. */
  say(text: string): void {
    if (this.#out.isTTY && this.#shown) this.#out.write(`\r${' '.repeat(this.#shown.length)}\r`);
    this.#out.write(`${text}\n`);
    if (this.#out.isTTY && this.#shown) this.#out.write(this.#shown);
  }

  #showTenths(text: string, tenth: number): void {
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    this.#out.write(`${text}\n`);
  }

  #draw(text: string, complete: boolean): void {
    this.#out.write(`\r${text.padEnd(this.#shown.length)}`);
    this.#shown = text;
    if (!complete) return;
    this.#out.write('\n');
    this.#shown = '';
  }
}

import { dig } from './dns-programs.ts';
import { KEY } from './dns-server.ts';

/** A secondary whose transfers dig makes: the whole zone once, then differences, each of which must fit what it has. */
export class DigSecondary {
  readonly #ask: (query: string) => Promise<string[]>;
  readonly #lines = new Set<string>();
  serial = 0;

  private constructor(root: string, port: number, zone: string) {
    const key = `${KEY.algorithm}:${KEY.name}:${KEY.secret.toString('base64')}`;
    const options = ['@127.0.0.1', '-p', String(port), '-y', key, '+noall', '+answer', '+nosplit', zone];
    this.#ask = async (query) =>
      (await dig(root, ...options, query))
        .filter((line) => !line.startsWith(';') && !/\sTSIG\s/.test(line))
        .map((line) => line.replace(/\s+/g, ' '));
  }

  static async start(root: string, port: number, zone: string): Promise<DigSecondary> {
    const secondary = new DigSecondary(root, port, zone);
    const [soa = '', ...lines] = await secondary.#ask('AXFR');
    secondary.serial = serialIn(soa);
    for (const line of lines.slice(0, -1)) secondary.#lines.add(line);
    return secondary;
  }

  get lines(): string[] {
    return [...this.#lines].toSorted();
  }

  /** Returns how many serials it took. */
  async follow(): Promise<number> {
    const [newest = '', ...steps] = await this.#ask(`IXFR=${this.serial}`);
    let [soas, isRemoving] = [0, false];
    for (const line of steps.slice(0, -1))
      if (/ IN SOA /.test(line)) {
        isRemoving = soas++ % 2 === 0;
        if (isRemoving && serialIn(line) !== this.serial)
          throw new Error(`differences from ${line}, not from ${this.serial}`);
        this.serial = serialIn(line);
      } else if (isRemoving ? !this.#lines.delete(line) : this.#lines.has(line))
        throw new Error(`${line} is ${isRemoving ? 'removed' : 'added'} twice`);
      else if (!isRemoving) this.#lines.add(line);
    if (this.serial !== serialIn(newest)) throw new Error(`the differences end with ${this.serial}`);
    return soas / 2;
  }
}

const serialIn = (soa: string): number => Number(soa.split(' ')[6]);

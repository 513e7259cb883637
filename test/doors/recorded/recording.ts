/** Values that differ between two runs of one version, by pattern. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  // A greeting has the time of the machine.
  [/(<svDate>)[^<]*/g, '$1<now>'],
  [/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, '<origin>'],
  // At the very moment to which the clock was set, or a little later.
  [/(madeAt"?:?\s+"?2030-01-15)T[\d:.]+/g, '$1T<time>'],
  // Full hours are those of expiries, which do not vary.
  [/T(?!\d\d:00:00\.000|00:00:00\+)\d\d:\d\d:\d\d(?:\.\d+)?/g, 'T<time>'],
  [/(?<= )(?!00:00:00)\d\d:\d\d:\d\d(?= [+])/g, '<time>'],
  [/\bwhe_[0-9a-f]{16}\b/g, 'whe_<16 hex>'],
  [/(\d{4}-\d\d-\d\d) (?!00:00)\d\d:\d\d(?![\d:])/g, '$1 <time>'],
  [/("(?:token|secret)": ")[^"]+/g, '$1<secret>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b[0-9a-f]{64}\b/g, '<64 hex>'],
  [/\b[0-9a-f]{32}\b/g, '<32 hex>'],
  [/(<contact:pw>)[0-9a-f]{22}(?=<)/g, '$1<22 hex>'],
  [/("auth_info" ?: ?")[^"]+/g, '$1<auth>'],
  [/\b(ALPHA|BETA|POOR):[0-9a-f]{8}\b/g, '$1:<8 hex>'],
  [/((?:payment_)?reference"?[=:]"?)[\w-]{20,}/g, '$1<payment>'],
  [/(after=)[\w-]+/g, '$1<position>'],
  [/("(?:id|attached_obj_id|notification_id)":)\d+/g, '$1<n>'],
  [/(hmac=)[0-9a-f]+/g, '$1<hmac>'],
  [/(""seconds"":)\d+/g, '$1<n>'],
  [/(try again in )\d+(?= (?:s|min|minutes)\b)/gi, '$1<n>'],
  // Workers deliver documents meanwhile.
  [/("(?:accounting|e_invoice)":)\{[^}]*\}/g, '$1<export>'],
];

/** A text of one repeated character is told by its length. */
export const withoutRuns = (text: string): string =>
  text.replace(/(\w)\1{49,}/g, (run) => `${run.slice(0, 3)}…<${run.length}>`);

const MAX_SHOWN = 1_000;
export const shortened = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;

/** Requests with their answers, with varying values replaced by their names. */
export class Recording {
  readonly #entries: string[] = [];
  readonly #learned = new Map<string, string>();

  get count(): number {
    return this.#entries.length;
  }

  get text(): string {
    return `${this.#entries.join('\n\n')}\n`;
  }

  /** A random value that recurs in later requests and answers. */
  learn(value: string, name: string): void {
    this.#learned.set(value, name);
  }

  add(lines: readonly string[]): void {
    this.#entries.push(lines.map((line) => this.#normalised(line)).join('\n'));
  }

  forgetLast(): void {
    this.#entries.pop();
  }

  #normalised(text: string): string {
    const known = [...this.#learned].reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
    return VARYING.reduce((rest, [form, name]) => rest.replace(form, name), known);
  }
}

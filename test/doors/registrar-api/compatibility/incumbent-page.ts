/** A refusal of the incumbent that clients may know by its text, and the name that it has here. */
type Refusal = {
  readonly incumbent: string;
  readonly text?: string;
  readonly reason: string | undefined;
};

/** docs/integrate/incumbent-refusals.md: texts that the incumbent is known to answer with, and what they are here. */
export function incumbentRefusalsPage(observed: readonly Refusal[]): string {
  const rows = [...Map.groupBy(observed, ({ text }) => text ?? '')].map(([text, refusals]) => {
    const distinct = (values: readonly (string | undefined)[]) => [...new Set(values)].sort();
    const codes = distinct(refusals.map(({ incumbent }) => incumbent.split('/')[1]));
    const reasons = distinct(refusals.map(({ reason }) => reason)).map((reason) => `\`${reason}\``);
    return { code: codes.join(', '), text, reasons: reasons.join(', ') };
  });
  rows.sort((one, other) => one.code.localeCompare(other.code) || one.text.localeCompare(other.text));
  return `<!-- Generated from incumbent-answers.ts. Do not edit: run npx vitest run test/doors/registrar-api/compatibility/incumbent-answers.test.ts --update -->

# Refusals of the incumbent

For those who [come from the incumbent](from-the-incumbent.md): texts with which the Estonian registry is known to refuse requests, and the \`reason\` that the same request is refused with here. [Errors](errors.md) says what each name means.

| code | text at the incumbent | \`reason\` here |
| --- | --- | --- |
${rows.map(({ code, text, reasons }) => `| ${code} | \`${text}\` | ${reasons} |`).join('\n')}
`;
}

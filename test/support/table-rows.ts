/** The texts of the cells of a table in a page, by the beginning of its accessible name. */
export function tableRows(page: string, label: RegExp): string[][] {
  const [, rows = ''] = page.split(new RegExp(`aria-label="${label.source}`));
  return [...(rows.split('</table>')[0] ?? '').matchAll(/<tr role="row">(<td.*?)<\/tr>/gs)].map(
    ([, row = '']) =>
      row
        .split('</td>')
        .slice(0, -1)
        .map((cell) => cell.replaceAll(/<[^>]*>/g, '').trim()),
  );
}

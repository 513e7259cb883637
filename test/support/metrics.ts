/** The samples of /metrics, by name and labels as they are written there. */
export async function samplesAt(url: string): Promise<ReadonlyMap<string, number>> {
  return samplesIn(await (await fetch(url)).text());
}

export function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

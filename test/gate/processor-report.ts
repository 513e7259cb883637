import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** After the run: how long each folder of test/ took, added up over the workers, the longest first. */
export class FolderTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = new Map<string, number>();
    for (const module of modules) {
      const folder = path.dirname(module.relativeModuleId).split(path.sep).slice(0, 2).join('/');
      times.set(folder, (times.get(folder) ?? 0) + timeOf(module));
    }
    const lines = [...times]
      .sort(([, one], [, other]) => other - one)
      .map(([folder, ms]) => line(folder, ms));
    const sum = [...times.values()].reduce((total, ms) => total + ms, 0);
    process.stdout.write(
      `\n Time per folder, of all workers together\n${lines.join('')}${line('sum', sum)}\n`,
    );
  }
}

/** With the loading of what the file imports, which a folder also costs. */
function timeOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration + prepareDuration;
}

const line = (name: string, ms: number): string => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}\n`;

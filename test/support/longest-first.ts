import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long by itself; begun last, it would keep one worker busy while the others have nothing left to do. */
const LONG = ['test/properties/', 'test/races/', 'test/start/', 'test/platform/database/', 'test/cli/'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((folder) => moduleId.includes(folder));
      return found < 0 ? LONG.length : found;
    };
    return files.toSorted(
      (one, other) => place(one) - place(other) || (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

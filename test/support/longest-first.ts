import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of more than five seconds. One that begins last keeps a worker busy while the others have nothing left to do; a
 * figure that is out of date costs no more than that.
 */
const SECONDS: Readonly<Record<string, number>> = {};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const seconds = ({ moduleId }: TestSpecification): number =>
      SECONDS[path.relative(root, moduleId).split(path.sep).slice(1).join('/')] ?? 0;
    // A worker serves one lane: between two it begins anew, so each lane is in one piece.
    return files.toSorted(
      (one, other) =>
        compare(one.project.name, other.project.name) ||
        seconds(other) - seconds(one) ||
        compare(one.moduleId, other.moduleId),
    );
  }
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { secondsOf } from './file-seconds.ts';

/** A file that begins last keeps a worker busy while the others have nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const seconds = ({ moduleId }: TestSpecification): number =>
      secondsOf(path.relative(root, moduleId).split(path.sep).join('/'));
    // A worker serves one lane: between two it is restarted, so each lane is in one piece.
    return files.toSorted(
      (one, other) =>
        compare(one.project.name, other.project.name) ||
        seconds(other) - seconds(one) ||
        compare(one.moduleId, other.moduleId),
    );
  }
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

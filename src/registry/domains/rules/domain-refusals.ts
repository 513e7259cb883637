import { registryRefusals } from '../../registry-refusals.ts';
import type { DomainPath } from './domain-paths.ts';

const maker = registryRefusals<DomainPath>();
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;

import type { FastifyInstance } from 'fastify';
import { complain, members } from './body.ts';
import { type FaultMode, type Faults, type FaultTarget, modes, modesOf, targets } from './faults.ts';

const MOST_TIMES = 1_000;
const EXPECTED =
  `Give {"target": ${targets.map((target) => `"${target}"`).join(' or ')}, "mode": ${modes.map((mode) => `"${mode}"`).join(' or ')}, ` +
  `"times": how many calls fail, from 1 to ${MOST_TIMES}}; "none" needs no times, and only "accounting" and "einvoice" know "nonsense", "half" and "lost".`;

/** Lets the next calls to an outside service fail, to see what the registry does about it. */
export function faultControl(app: FastifyInstance, faults: Faults): void {
  app.post('/sandbox/faults', async (request, reply) => {
    const { target: targetText, mode: modeText, times } = members(request);
    const target = targets.find((known) => known === targetText);
    const mode = target && modesOf(target).find((known) => known === modeText);
    if (!target || !mode || !isFit(mode, times)) return complain(reply, EXPECTED);
    const count = mode === 'none' ? 0 : Number(times);
    faults.set(target, mode, count);
    return { target, mode, times: count } satisfies { target: FaultTarget; mode: FaultMode; times: number };
  });
}

function isFit(mode: FaultMode, times: unknown): boolean {
  if (mode === 'none' && times === undefined) return true;
  return typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= MOST_TIMES;
}

import { sleep } from './sleep.js';
const INTERVAL_MS = 5_000;
/** What happens at the registry, oldest first, each event once, for as long as your program wants. */
export async function* followEvents(registry, { after, intervalMs = INTERVAL_MS, signal, onlyPresent = false, onPosition } = {}) {
    let position = after;
    const isOver = () => signal?.aborted === true;
    while (!isOver()) {
        const page = await registry.events.read({ after: position }, { signal }).catch((error) => {
            if (isOver())
                return undefined;
            throw error;
        });
        if (!page)
            return;
        for (const event of page.data.events) {
            if (isOver())
                return;
            yield event;
        }
        position = page.data.position;
        onPosition?.(position);
        if (page.data.has_more)
            continue;
        if (onlyPresent)
            return;
        await sleep(intervalMs, signal).catch(() => undefined);
    }
}

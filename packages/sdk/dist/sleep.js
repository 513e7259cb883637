/** Rejects with the reason of the signal as soon as it is aborted. */
export function sleep(milliseconds, signal) {
    return new Promise((wake, reject) => {
        const abort = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', abort);
            wake();
        }, milliseconds);
        if (signal?.aborted)
            abort();
        else
            signal?.addEventListener('abort', abort, { once: true });
    });
}

import { useEffect } from 'preact/hooks';

/** Looks at once, every `ms` ms, and when the page is seen again, but never while it is hidden. Gives what ends that. */
function keepLooking(look: () => Promise<void>, ms: number): () => void {
  const lookIfSeen = (): void => {
    if (!document.hidden) void look();
  };
  lookIfSeen();
  const timer = setInterval(lookIfSeen, ms);
  document.addEventListener('visibilitychange', lookIfSeen);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', lookIfSeen);
  };
}

/** Keeps looking while a view is shown, and begins anew where `asked` is another text: what is looked for. */
export function useLooking(look: () => Promise<void>, ms: number, asked: string): void {
  useEffect(() => keepLooking(look, ms), [look, ms, asked]);
}

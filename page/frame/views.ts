import type { ComponentType } from 'preact';

/** A view of the page. */
export interface View {
  /** Its word in the address. */
  readonly id: ViewId;
  readonly label: string;
  /** Gives its component; what it needs is loaded with the first look at it. */
  load(): Promise<{ readonly View: ComponentType }>;
}

export type ViewId = 'translate' | 'live' | 'models';

/** The views in the order of the header; the first is shown where the address names none. */
export const VIEWS: readonly View[] = [
  { id: 'translate', label: 'Translate', load: () => import('../translate/index.js') },
  { id: 'live', label: 'Live', load: () => import('../live/index.js') },
  { id: 'models', label: 'Models', load: () => import('../models/index.js') },
];

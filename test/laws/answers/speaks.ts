import type { Part } from '../../../translators/canonical/content.js';
import type { Feature } from '../../../translators/canonical/loss.js';
import { phaseOf } from '../phase.js';

/** Whether a part has anything that a feature could name. */
export function speaks(feature: Feature, part: Part): boolean {
  const hosted = part.kind === 'hostedCall' || part.kind === 'hostedResult';
  switch (feature) {
    case 'part.phase':
      return phaseOf(part) !== undefined;
    case 'logprobs':
      return part.kind === 'text' && (part.logprobs?.length ?? 0) > 0;
    case 'part.citation':
      return part.kind === 'text' && (part.citations?.length ?? 0) > 0;
    case 'part.refusal':
      return part.kind === 'refusal';
    case 'call.args':
    case 'call.name':
    case 'call.id':
    case 'call.truncated':
    case 'call.family':
      return part.kind === 'call';
    case 'hosted.call':
    case 'hosted.output':
      return hosted;
    case 'part.media':
    case 'part.media.filename':
    case 'part.media.mime':
      return part.kind === 'media' || (hosted && part.family === 'imageGen');
    case 'reasoning.text':
      return part.kind === 'reasoning';
    case 'reasoning.state':
      return part.kind === 'reasoning' || part.state !== undefined;
    case 'part.opaque':
      return part.kind === 'opaque';
    case 'part.approval':
    case 'part.compaction':
    case 'part.handover':
      return `part.${part.kind}` === feature;
    case 'handover':
      return part.kind === 'handover';
    default:
      return false;
  }
}

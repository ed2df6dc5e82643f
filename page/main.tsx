import { render } from 'preact';
import { Frame } from './frame/frame.js';

const place = document.getElementById('page');
if (place !== null) render(<Frame />, place);

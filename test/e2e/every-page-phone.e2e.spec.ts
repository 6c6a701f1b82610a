import { itSuits } from './every-page.js';

itSuits('on the phone', { width: 390, height: 844 });

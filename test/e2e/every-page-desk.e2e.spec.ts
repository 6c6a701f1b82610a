import { itSuits } from './every-page.js';

itSuits('on the desk', { width: 1440, height: 900 });

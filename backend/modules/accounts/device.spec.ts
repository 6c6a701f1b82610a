import { expect, it } from '@jest/globals';
import { deviceName } from './device.js';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Chrome no Android', `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`],
  ['Edge no Windows', `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
  [
    'Samsung Internet no Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Safari no iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox no Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  [null, 'curl/8.14.1'],
  [null, null],
])('%s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});

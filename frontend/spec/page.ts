import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

// What Mantine asks of a page and jsdom has not (https://mantine.dev/guides/jest/).
window.matchMedia = (query) =>
  ({
    matches: query === '(pointer: fine)',
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
};
window.HTMLElement.prototype.scrollIntoView = () => undefined;
window.HTMLElement.prototype.scrollTo = () => undefined;
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
});

// A second, as it is otherwise, is too short for what is imported when it is first shown, beside other tests.
configure({ asyncUtilTimeout: 120_000 });

afterEach(cleanup);

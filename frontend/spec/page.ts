import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

// Browser functions that Mantine (https://mantine.dev/guides/jest/) and what is loaded late need, and jsdom lacks.
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
window.PerformanceObserver = class {
  static supportedEntryTypes = [];
  observe = () => undefined;
  disconnect = () => undefined;
  takeRecords = () => [];
};
window.HTMLElement.prototype.scrollIntoView = () => undefined;
window.HTMLElement.prototype.scrollTo = () => undefined;
window.scrollTo = () => undefined;
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
});

// The default of one second is too short to load modules at their first use while other tests run.
configure({ asyncUtilTimeout: 120_000 });

afterEach(cleanup);

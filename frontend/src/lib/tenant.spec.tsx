import { expect, it, jest } from '@jest/globals';

it("keeps a window on its student's page, also after a reload, whatever another window chooses", async () => {
  const { preferPlace, preferredPlace } = await import('./tenant.js');
  preferPlace('ana');
  localStorage.setItem('rende.tenant', 'beto');
  expect(preferredPlace()).toBe('ana');
  jest.resetModules();
  expect((await import('./tenant.js')).preferredPlace()).toBe('ana');
  jest.resetModules();
  sessionStorage.clear();
  expect((await import('./tenant.js')).preferredPlace()).toBe('beto');
});

import { expect, it } from '@jest/globals';
import { html } from './html.js';

it('escapes what people wrote, in elements and in attributes, and keeps its own markup', () => {
  const name = `<img src=x onerror="alert('1')"> & Co`;
  expect(html`<p title="${name}">${name}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co">' +
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co</p>',
  );
  const items = ['a', '<'].map((one) => html`<b>${one}</b>`);
  expect(html`<p>${items}${null}${false}${0}</p>`.text).toBe('<p><b>a</b><b>&lt;</b>0</p>');
});

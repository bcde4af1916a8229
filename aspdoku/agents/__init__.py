"""A server for agents, programs in which a language model calls tools (`aspdoku mcp`).

`tools` has the tools, which need no other package; `server` offers them in the Model Context
Protocol, with resources and a prompt.
"""

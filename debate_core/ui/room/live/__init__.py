"""The live transcript: what is drawn without reruns, fed by a web socket."""

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev The few of forge's cheatcodes that are used here.
interface Cheats {
    function addr(uint256 privateKey) external returns (address);
    function clearMockedCalls() external;
    function deal(address holder, uint256 wei_) external;
    function envBytes(string calldata name) external returns (bytes memory);
    function mockCallRevert(address callee, bytes calldata data, bytes calldata revertData) external;
    function prank(address sender) external;
    function sign(uint256 privateKey, bytes32 digest) external returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
}

Cheats constant cheats = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));
